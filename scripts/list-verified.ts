import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { catalogue } from "../src/catalogue/index.ts"
import type { AnyScraper } from "../src/catalogue/kit/index.ts"
import { fieldsOf, hasContent } from "../src/engine/ops/health/counters.ts"
import { isErrorItem } from "../src/engine/runtime/run/checkpoints.ts"
import { casesUnder, corpus, replay } from "../test/corpus-run.ts"
import { recordingsList } from "../test/recordings.ts"
import { formatted } from "./tidied.ts"

/**
 * Writes which scrapers are verified: for each the month of the newest real recording that yields
 * an item, and the item fields that no recording fills. A constructed response verifies nothing,
 * nor does a challenge.
 */
const verifiedTable = join(import.meta.dir, "../src/catalogue/verified.json")

/** Words in the notes of cases whose responses the site never returned in this form. */
const notRecorded =
  /\b(?:rebuilt|(?:re)?constructed|made up|pieced together|not (?:a recorded|one recording)|invented|synthetic|computed, not recorded)/i

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")
const monthNamed = new RegExp(
  `\\b(${months.join("|")})[a-z]*\\.?(?: \\d{1,2},?)? (20\\d\\d)\\b`,
  "gi",
)
const yearOfRecording =
  /(?:^|\b(?:recorded|about|saved|captured|answer of|autumn|late|mid|in)(?: in)?) ?(20\d\d)\b/gi

/** Returns the months, or at least the years, that a note names. */
function datesIn(note: string): string[] {
  if (/date not recorded/i.test(note)) return []
  const exact = [
    ...[...note.matchAll(/\b(20\d\d-\d\d)(?:-\d\d)?\b/g)].map(([, month]) => month!),
    ...[...note.matchAll(monthNamed)].map(([, name, year]) => {
      const month = months.indexOf(name!.toLowerCase()) + 1
      return `${year}-${String(month).padStart(2, "0")}`
    }),
  ]
  return exact.length > 0 ? exact : [...note.matchAll(yearOfRecording)].map(([, year]) => year!)
}

interface CaseSource {
  case: string
  clock?: string
  source?: { note?: string }
}

/** Returns when a case was recorded: "" if the date is unknown, null if it is not a recording. */
export function recordedAt({ case: name, clock, source }: CaseSource): string | null {
  const note = source?.note ?? ""
  if (notRecorded.test(`${name} ${note}`)) return null
  const stated = datesIn(note).sort().at(-1)
  const set = clock?.slice(0, 7)
  // A case may set a clock later than its recording.
  if (set && stated) return stated.slice(0, 4) === set.slice(0, 4) || stated > set ? set : stated
  return set ?? stated ?? /\b(20\d\d)$/.exec(name)?.[1] ?? ""
}

const caseFile = (folder: string): CaseSource =>
  JSON.parse(readFileSync(join(folder, "case.json"), "utf8"))

interface Proof {
  /**
   * The month of the newest recording that yields an item; "" if it has no date; null without one.
   */
  at: string | null
  /** Item fields that no recording fills. */
  unfilled: string[]
}

/**
 * Returns what the recordings of a scraper verify. `endOf` returns the result of a case that
 * already ran.
 */
export async function proofOf(scraper: AnyScraper, endOf = replay): Promise<Proof> {
  const dated = casesUnder(corpus, scraper.slug)
    .map((recorded) => ({ recorded, at: recordedAt(caseFile(recorded.folder)) }))
    .filter(({ at }) => at !== null)
    .sort((a, b) => b.at!.localeCompare(a.at!))
  const unfilled = new Set(fieldsOf(scraper.item))
  let newest: string | null = null
  for (const { recorded, at } of dated) {
    const { items } = await endOf(recorded)
    const good = items.filter((item) => !isErrorItem(item))
    if (good.length > 0) newest ??= at
    for (const item of good) {
      for (const name of unfilled) if (hasContent(item[name])) unfilled.delete(name)
    }
  }
  return { at: newest, unfilled: [...unfilled] }
}

if (import.meta.main) {
  if (!existsSync(corpus) || readdirSync(corpus).length === 0)
    throw new Error("There are no recordings in the corpus folder.")
  const table: Record<string, { at: string | null; unfilled: string[] }> = {}
  const all = { fields: 0, unfilled: 0 }
  for (const scraper of catalogue.toSorted((a, b) => (a.slug < b.slug ? -1 : 1))) {
    const { at, unfilled } = await proofOf(scraper)
    all.fields += fieldsOf(scraper.item).length
    all.unfilled += unfilled.length
    if (at === null) continue
    table[scraper.slug] = { at: at || null, unfilled }
  }
  await Bun.write(verifiedTable, formatted(verifiedTable, JSON.stringify(table)))
  const recordings = catalogue.map(({ slug }) => [slug, casesUnder(corpus, slug)] as const)
  const listed = recordings
    .filter(([, cases]) => cases.length > 0)
    .map(([slug, cases]) => [slug, cases.map((recorded) => recorded.case)] as const)
    .sort(([a], [b]) => a.localeCompare(b))
  const list = JSON.stringify(Object.fromEntries(listed))
  await Bun.write(recordingsList, formatted(recordingsList, list))
  console.log(
    `${Object.keys(table).length} of ${catalogue.length} scrapers are verified, and ${all.fields - all.unfilled} of ${all.fields} fields of items.`,
  )
}
