/**
 * Replays recorded cases that are broken in their values, their bytes, or the bytes of a response:
 * `bun run bench trust replays [cases] [seed]`. An invalid file must be reported. A run of a valid
 * one must end with items or an error with its reason, and must not take more time than its pages
 * justify.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { exchangeBody, type ReplayCase, readCase } from "../../src/engine/fetch/replay/case.ts"
import { casesUnder, ownCases, replay } from "../../test/corpus-run.ts"
import { brokenBytes, nearly, pick } from "../../test/trust/fuzzed.ts"
import { random } from "../../test/trust/mutate.ts"

const count = Number(process.argv[2] ?? 1000)
const seed = Number(process.argv[3] ?? 1)
/** Maximum processor time of one case; most take a few milliseconds. */
const maxMs = 5000
const next = random(seed)
const folder = mkdtempSync(join(tmpdir(), "trawl-replays-"))
const cases = casesUnder(ownCases)
const reported = { refused: 0, items: 0, errors: 0, empty: 0 }
const issues = new Map<string, string>()
let slowest = { ms: 0, what: "" }

/** Returns a damaged case; undefined if its file is rejected, as it must be. */
function brokenFile(one: ReplayCase): ReplayCase | undefined {
  const text = readFileSync(join(one.folder, "case.json"))
  const bytes =
    next() < 0.5
      ? brokenBytes(text, next)
      : new TextEncoder().encode(JSON.stringify(nearly(JSON.parse(text.toString()), next)))
  writeFileSync(join(folder, "case.json"), bytes)
  try {
    // Its bodies are still in its folder.
    return { ...readCase(folder), folder: one.folder }
  } catch (error) {
    reported.refused++
    // An internal name in the message is an unexpected error.
    if (/undefined is not|is not an object|is not a function|null is not/.test(String(error)))
      issue("reading a file", `${one.slug}/${one.case}: ${error}`)
    return undefined
  }
}

/** Breaks some bytes of one of its responses. */
function brokenResponse(one: ReplayCase): ReplayCase {
  const exchange = pick(next, one.exchanges)
  if (!exchange) return one
  const bytes = brokenBytes(exchangeBody(one.folder, exchange), next)
  return {
    ...one,
    exchanges: one.exchanges.map((other) => (other === exchange ? { ...other, bytes } : other)),
  }
}

function issue(kind: string, what: string): void {
  if (issues.has(kind)) return
  issues.set(kind, what)
  console.log(`${kind}: ${what}`)
}

for (let number = 0; number < count; number++) {
  const one = pick(next, cases)
  const broken = next() < 0.5 ? brokenFile(one) : brokenResponse(one)
  if (!broken) continue
  const before = process.threadCpuUsage()
  try {
    const { items, error } = await replay(broken)
    if (error || items.some((item) => item.error)) reported.errors++
    else if (items.length > 0) reported.items++
    else reported.empty++
  } catch (error) {
    const message = (error as Error).message ?? String(error)
    if (/^No scraper is named|ENOENT|ENOTDIR|EISDIR|EACCES|null bytes/.test(message))
      reported.refused++
    else
      issue(
        `${one.slug} threw ${message.slice(0, 80)}`,
        `case ${one.case}, number ${number}: ${(error as Error).stack?.split("\n").slice(0, 4).join(" ")}`,
      )
  }
  const { user, system } = process.threadCpuUsage(before)
  const ms = (user + system) / 1000
  if (ms > slowest.ms) slowest = { ms, what: `${one.slug}/${one.case}, number ${number}` }
  if (ms > maxMs) issue(`${one.slug} took ${Math.round(ms)} ms`, `${one.case}, number ${number}`)
}
rmSync(folder, { recursive: true, force: true })
console.log(
  `${count} broken cases of ${cases.length}, seed ${seed}: ${reported.refused} refused as files, ${reported.errors} ended with errors that say why, ${reported.items} with items, ${reported.empty} with none; ${issues.size} kinds of fault`,
)
console.log(`slowest: ${Math.round(slowest.ms)} ms of the processor (${slowest.what})`)
process.exit(issues.size > 0 ? 1 : 0)
