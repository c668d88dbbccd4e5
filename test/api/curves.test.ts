import { expect, test } from "bun:test"
import { Curves } from "../../src/api/metrics/curves.ts"

test("pages and failures are counted per minute, and three hours are kept", () => {
  let now = Date.parse("2026-03-01T10:00:10Z")
  const curves = new Curves(() => now)
  const counts = { fetchMethod: "http", bytes: 10 }
  curves.tallied([
    { ...counts, code: "ok", targets: 3, pages: 4 },
    { ...counts, code: "not_found", targets: 2, pages: 2 },
  ])
  now += 60_000
  curves.tallied([{ ...counts, code: "ok", targets: 1, pages: 1 }])
  expect(curves.read()).toMatchObject([
    { at: Date.parse("2026-03-01T10:00:00Z"), pages: 6, failures: 2 },
    { at: Date.parse("2026-03-01T10:01:00Z"), pages: 1, failures: 0 },
  ])
  expect(curves.read()[0]!.memory).toBeGreaterThan(1_000_000)
  for (let minute = 0; minute < 200; minute++) {
    now += 60_000
    curves.tallied([])
  }
  expect(curves.read()).toHaveLength(180)
  curves.stop()
})
