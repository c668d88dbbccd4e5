import { expect, test } from "bun:test"
import { costOf, guide, lists, rows, tokenTable } from "../../../scripts/list-tokens.ts"

/** Tolerance, so that one more word in a description does not require an update of the page. */
const tolerance = 0.05

const numbers = (row: string[]) => row.slice(1).map((cell) => Number(cell.replaceAll(",", "")))

test("docs/guide/use/mcp.md has the costs of the lists (bun scripts/list-tokens.ts writes them)", async () => {
  const [, table] = tokenTable.exec(await Bun.file(guide).text())!
  const reported = table!.trim().split("\n").slice(2)
  const cells = reported.map((row) => row.slice(2, -2).split(" | "))
  const now = rows()
  expect(cells.map(([name]) => name)).toEqual(now.map(([name]) => name))
  for (const [index, row] of now.entries()) {
    const [tools, ...tokens] = numbers(row)
    const [reportedTools, ...reportedTokens] = numbers(cells[index]!)
    expect([row[0], reportedTools]).toEqual([row[0], tools])
    for (const [position, real] of tokens.entries()) {
      expect(Math.abs(reportedTokens[position]! / real - 1)).toBeLessThan(tolerance)
    }
  }
})

test("a part of the list costs less than the whole, the meta set very little", () => {
  for (const more of ["", "&outputSchema=true"]) {
    const whole = costOf(more.slice(1)).tokens
    for (const query of lists.slice(1)) expect(costOf(query + more).tokens).toBeLessThan(whole)
  }
  expect(costOf("").tokens).toBeLessThanOrEqual(20_000)
  expect(costOf("set=meta").tokens).toBeLessThanOrEqual(1400)
})
