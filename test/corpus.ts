/**
 * Runs every recorded case of the implemented scrapers and prints a table: slug, cases passed of
 * all, first failing expectation. Usage: `bun run corpus [slug…]`. `--items` prints the items as
 * well. `--break` breaks every response first, and fails if that remains unnoticed. `--harmless`
 * changes markup and data in ways that no reader should notice (one change per case, or all of them
 * if you name a slug), and fails if items differ.
 */
import { existsSync } from "node:fs"
import type { ReplayCase } from "../src/engine/fetch/replay/case.ts"
import { unnoticed } from "./broken.ts"
import { casesUnder, corpus, firstFailure, loadScraper, ownCases, replay } from "./corpus-run.ts"
import { harmedData, ownDataChange } from "./harmless/responses.ts"
import { harmed } from "./harmless.ts"

const words = process.argv.slice(2)
const breaking = words.includes("--break")
const changing = words.includes("--harmless")
const showItems = words.includes("--items")
const roots = [corpus, ownCases]
const wanted = words.filter((word) => !word.startsWith("--"))

if (!existsSync(corpus)) console.log("The recorded corpus is not here; only test/cases is run.\n")

const wantedSlugs = wanted.length > 0 ? wanted.map((word) => word.split("/")[0]!) : [undefined]
const wantedCases = new Set(wanted.flatMap((word) => word.split("/")[1] ?? []))
const cases = wantedSlugs
  .flatMap((slug) => roots.flatMap((root) => casesUnder(root, slug)))
  .filter((one) => wantedCases.size === 0 || wantedCases.has(one.case))

async function verdict(one: ReplayCase): Promise<string | undefined> {
  if (breaking) return unnoticed(one)
  if (!changing) return firstFailure(one)
  const all = wanted.length > 0
  const found = [
    await harmed(one, all ? {} : { most: 1 }),
    await harmedData(one, all ? undefined : await ownDataChange(one)),
  ]
  return found.filter(Boolean).join("\n    ") || undefined
}

const rows = new Map<string, { passed: number; failures: string[] }>()
for (const one of cases) {
  if (!(await loadScraper(one.slug))) continue
  const row = rows.get(one.slug) ?? { passed: 0, failures: [] }
  rows.set(one.slug, row)
  const found = await verdict(one).catch((error) => `threw ${error?.stack ?? error}`)
  if (found) row.failures.push(`${one.case}: ${found}`)
  else row.passed++
  if (showItems) {
    const { items, error, log } = await replay(one)
    console.log(`--- ${one.slug}/${one.case}`, JSON.stringify({ items, error, log }, null, 1))
  }
}

let passed = 0
let failed = 0
for (const [slug, row] of [...rows].sort()) {
  passed += row.passed
  failed += row.failures.length
  console.log(`${slug.padEnd(34)} ${row.passed}/${row.passed + row.failures.length}`)
  for (const line of row.failures) console.log(`    ${line}`)
}
console.log(`\n${passed} passed, ${failed} failed, ${rows.size} scrapers`)
process.exit(failed > 0 ? 1 : 0)
