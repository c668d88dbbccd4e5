/**
 * Changes the source of required fields in recorded bodies, one at a time, and prints how many of these
 * drifts the scrapers' health tells of, by the field's name; and which unchanged cases it finds fault
 * with. `bun run drift [slug…]`; `--each N` drifts of each scraper (default 2).
 */
import { parseArgs } from "node:util"
import { classOf } from "../src/engine/health/codes.ts"
import type { ReplayCase } from "../src/engine/replay/case.ts"
import { casesUnder, corpus, loadScraper, ownCases } from "./corpus-run.ts"
import { type Drift, type Played, play, requiredFields, seedDrift, verdictOf } from "./drifted.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { each: { type: "string", default: "2" }, verbose: { type: "boolean", default: false } },
})
const each = Number(values.each)

/** The same choice each time, other fields for each scraper. */
function shuffled<T>(list: readonly T[], seed: string): T[] {
  return list
    .map((one, index) => ({ one, at: Bun.hash(`${seed} ${index}`) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ one }) => one)
}

const bySlug = Map.groupBy(
  [corpus, ownCases].flatMap((root) => casesUnder(root)),
  ({ slug }) => slug,
)
const drifts: Drift[] = []
const alarms: string[] = []
const without: string[] = []
let unchanged = 0

for (const [slug, cases] of [...bySlug].sort()) {
  if (positionals.length > 0 && !positionals.includes(slug)) continue
  const scraper = await loadScraper(slug)
  if (!scraper) continue
  const played: { recorded: ReplayCase; before: Played }[] = []
  for (const recorded of cases) {
    const before = await play(recorded)
    played.push({ recorded, before })
    const { items } = before
    const failures = items.flatMap(
      ({ error }) => (error as { code: string } | undefined)?.code ?? [],
    )
    // What was recorded of a wall or a change is one.
    if (failures.some((code) => classOf(code) !== "callers")) continue
    // An input that is refused asks for nothing.
    if (items.length === 0) continue
    unchanged++
    const { verdict, reason } = verdictOf(scraper, before, await play(recorded))
    if (["degraded", "broken", "blocked"].includes(verdict)) {
      alarms.push(`${slug}/${recorded.case}: ${verdict}: ${reason}`)
    }
  }
  const places = played.flatMap(({ recorded, before }) =>
    requiredFields(scraper, before).map((field) => ({ recorded, before, field })),
  )
  const seeded: Drift[] = []
  for (const { recorded, before, field } of shuffled(places, slug)) {
    if (seeded.length === each) break
    if (seeded.some((one) => one.field === field)) continue
    const drift = await seedDrift(recorded, before, field)
    if (drift) seeded.push(drift)
  }
  if (seeded.length === 0) without.push(slug)
  drifts.push(...seeded)
  for (const { case: name, field, marker, outcome, verdict } of seeded) {
    if (outcome === "found" && !values.verbose) continue
    console.log(
      `${outcome} ${slug}/${name}: ${field} (${marker.kind} "${marker.name}"): ${verdict.verdict} ${verdict.fields.join(", ")} ${verdict.reason ?? ""}`,
    )
  }
}

const count = (outcome: Drift["outcome"]) => drifts.filter((one) => one.outcome === outcome).length
for (const alarm of alarms) console.log(`false alarm ${alarm}`)
console.log(`\nNothing to change in ${without.length} scrapers: ${without.join(", ")}`)
const share = (100 * count("found")) / drifts.length
console.log(
  `${drifts.length} drifts over ${new Set(drifts.map(({ slug }) => slug)).size} scrapers: ${count("found")} found by name (${share.toFixed(1)} %), ${count("noticed")} noticed without it, ${count("missed")} missed; ${alarms.length} false alarms over ${unchanged} unchanged cases`,
)
process.exit(share >= 95 && alarms.length === 0 ? 0 : 1)
