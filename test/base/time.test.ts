import { expect, test } from "bun:test"
import { daysFrom } from "../../src/base/time.ts"

test("days from a time are a date, however many they are", () => {
  const time = Date.parse("2026-03-01T12:00:00.000Z")
  const cases = [
    [1, "2026-03-02T12:00:00.000Z"],
    [-1, "2026-02-28T12:00:00.000Z"],
    [99_999_999_999, "9999-12-31T00:00:00.000Z"],
    [-99_999_999_999, "1970-01-01T00:00:00.000Z"],
  ] as const
  for (const [days, date] of cases) expect(daysFrom(time, days)).toBe(date)
})
