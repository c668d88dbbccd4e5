/**
 * Loaded before each test file: files share a process, so a changed variable would affect the next
 * one.
 */
import { afterAll, expect } from "bun:test"

const before = { ...process.env }

afterAll(() => {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)])
  const changed = [...names].filter((name) => process.env[name] !== before[name])
  expect(changed, "environment variables that this file changed and did not restore").toEqual([])
})
