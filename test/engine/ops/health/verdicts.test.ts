import { expect, test } from "bun:test"
import {
  after,
  type Finding,
  finding,
  type Source,
  unheardOf,
  type Verdict,
} from "../../../../src/store/health/verdicts.ts"

/** Returns the verdict after these findings, in order. */
function standing(...found: (Verdict | [Verdict, Source])[]): Verdict {
  return found.reduce((before, one) => {
    const [verdict, source] = typeof one === "string" ? [one, "probe" as const] : one
    return after(before, finding(verdict), source)
  }, unheardOf).finding.verdict
}

const sequences: [Verdict, ...Parameters<typeof standing>][] = [
  ["works", "works"],
  ["unknown", "broken"],
  ["works", "works", "broken"],
  ["broken", "works", "broken", "broken"],
  ["blocked", "works", "broken", "blocked"],
  ["works", "broken", "broken", "works"],
  ["works", "broken", "works", "broken"],
  ["degraded", "works", "degraded", "degraded"],
  ["needs", "works", "needs"],
  // An unknown result neither counts nor clears.
  ["works", "works", "broken", "unknown"],
  ["broken", "works", "broken", "target_gone", "broken"],
  ["broken", "broken", "broken", "target_gone", "unknown"],
  // A probe's target does not disappear: if it is missing twice, the scraper is broken.
  ["unknown", "target_gone"],
  ["broken", "target_gone", "target_gone"],
  ["works", "works", "target_gone", "works", "target_gone"],
  ["broken", "works", "target_gone", "unknown", "target_gone"],
  ["works", "works", ["target_gone", "traffic"], ["target_gone", "traffic"]],
  // The probe may not check fields that are missing in users' items.
  ["degraded", ["degraded", "traffic"], ["degraded", "traffic"], "works"],
  ["works", ["degraded", "traffic"], ["degraded", "traffic"], ["works", "traffic"]],
  ["works", ["broken", "traffic"], ["broken", "traffic"], "works"],
]

for (const [expected, ...found] of sequences) {
  test(`${found.join(", ")}: ${expected}`, () => expect(standing(...found)).toBe(expected))
}

test("the latest finding of a bad state is reported", () => {
  const gone: Finding = finding("broken", { fields: ["title"], reason: "No title." })
  const first = after(unheardOf, finding("broken", { fields: ["price"] }), "probe")
  expect(after(first, gone, "traffic")).toEqual({ finding: gone, source: "traffic", failures: 2 })
})
