/**
 * Changes the source of required fields in recorded bodies, one at a time, and prints how many of these
 * drifts the scrapers' health reports by the field's name, and which unchanged cases it reports. Then every
 * response is a challenge page, and every target is gone. `bun run drift [slug…]`; `--each N` drifts of each scraper (default 2).
 */
import { parseArgs } from "node:util"
import type { ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { classOf } from "../../src/engine/ops/health/codes.ts"
import { broken } from "../broken.ts"
import { casesUnder, corpus, loadScraper, ownCases } from "../corpus-run.ts"
import {
  type Drift,
  type Played,
  play,
  requiredFields,
  seedDrift,
  verdictOf,
  verdictOfTraffic,
} from "./drifted.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { each: { type: "string", default: "2" }, verbose: { type: "boolean", default: false } },
})
const each = Number(values.each)

/** A seed, so that the choice is the same each time, with different fields for each scraper. */
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
/** Verdicts with their scrapers. */
const challenged = new Map<string, string[]>()
const absent = new Map<string, string[]>()
const note = (verdicts: Map<string, string[]>, verdict: string, slug: string) =>
  verdicts.set(verdict, [...(verdicts.get(verdict) ?? []), slug])

/**
 * Returns whether a case has only missing targets, as their site reports them. Not every site uses
 * 404, which to some scrapers is a refusal, or the sign of an outdated site constant.
 */
const isOfAbsence = ({ good, items, ends }: Played) =>
  good.length === 0 &&
  ends.some(({ failure }) => failure?.code !== "invalid_input") &&
  items.every(({ error }) => classOf((error as { code: string }).code) === "callers")

/** Responds to every request with 404, as for a target that is gone. */
function gone(recorded: ReplayCase): ReplayCase {
  const exchanges = recorded.exchanges.map(({ body: _body, ...exchange }) => {
    const isJson = JSON.stringify(exchange.headers).includes("json")
    const text = isJson ? "{}" : "<html><title>Not found</title></html>"
    return { ...exchange, status: 404, bytes: new TextEncoder().encode(text) }
  })
  return { ...recorded, exchanges }
}

const alarms: string[] = []
const without: string[] = []
let unchanged = 0
let absentAsRecorded = 0

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
    // A recorded challenge or changed page counts as one.
    if (failures.some((code) => classOf(code) !== "callers")) continue
    // A rejected input sends no request.
    if (items.length === 0) continue
    unchanged++
    // Health probes have no missing targets.
    const judged = isOfAbsence(before) ? verdictOfTraffic : verdictOf
    const { verdict, reason } = judged(scraper, before, await play(recorded))
    if (["degraded", "broken", "blocked"].includes(verdict)) {
      alarms.push(`${slug}/${recorded.case}: ${verdict}: ${reason}`)
    }
  }
  const whole = played.find(
    ({ before }) =>
      before.good.length > 0 &&
      before.good.length === before.items.length &&
      verdictOf(scraper, before, before).verdict === "works",
  )
  if (whole) {
    const { recorded, before } = whole
    const isPage = recorded.exchanges.some(({ url }) => !/^(?:dns|tls):/.test(url))
    const challenge = verdictOf(scraper, before, await play(broken(recorded, "challenge")))
    const reported = challenge.vendor ? `${challenge.verdict} by name` : challenge.verdict
    note(challenged, isPage ? reported : "no page is requested", slug)
    // For pages that users choose, a check without a history decides.
    const visible = played.find((one) => isOfAbsence(one.before))?.before
    if (visible) absentAsRecorded++
    const { verdict } = verdictOf(scraper, before, visible ?? (await play(gone(recorded))))
    note(absent, verdict === "unknown" ? "works" : verdict, slug)
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
const reported = (verdicts: Map<string, string[]>) =>
  [...verdicts]
    .map(([verdict, slugs]) =>
      slugs.length > 10
        ? `${verdict} ${slugs.length}`
        : `${verdict} ${slugs.length} (${slugs.join(", ")})`,
    )
    .join(", ")
console.log(`If every response is a challenge: ${reported(challenged)}`)
console.log(
  `If every target is gone (${absentAsRecorded} as recorded, else by 404): ${reported(absent)}`,
)
process.exit(share >= 95 && alarms.length === 0 ? 0 : 1)
