import { expect, test } from "bun:test"
import { createLog, logInfo } from "../../../src/api/log/log.ts"

const fields = {
  id: 'a "quoted" \\ name\n',
  status: 200,
  account: undefined,
  path: `/${"x".repeat(200)}/ü`,
  ms: 1.5,
  odd: Number.NaN,
}

/** Returns lines as JSON without their time, with fields in order. */
const written = (lines: string[]) =>
  lines.map((line) => line.replace(/"time":"\d{4}-\d\d-\d\dT[\d:.]{12}Z"/, '"time":""'))

test("a log line at level info equals the one that pino writes", () => {
  const lines: string[] = []
  const { log } = createLog({ logLevel: "info" }, (line) => {
    lines.push(line)
    return ""
  })
  log.info(fields, "call")
  logInfo(log, fields, "call")
  const [first, second, ...more] = written(lines)
  expect(second).toBe(first!)
  expect(second).toContain('"time":""')
  log.level = "warn"
  logInfo(log, fields, "call")
  expect([lines.length, more]).toEqual([2, []])
})
