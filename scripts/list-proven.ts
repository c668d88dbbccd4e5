import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { catalogue } from "../src/catalogue/index.ts"
import { isErrorItem } from "../src/engine/run/journal.ts"
import { casesUnder, corpus, replay } from "../test/corpus-run.ts"

/**
 * Writes which scrapers are proven: for each the month of the newest true recording that it reads an
 * item from. What was put together or made up proves nothing, nor does a wall.
 */
const provenPath = join(import.meta.dir, "../src/catalogue/proven.ts")

/** What notes say of cases whose answers the upstream never gave in this form. */
const notRecorded =
  /\b(?:rebuilt|(?:re)?constructed|made up|pieced together|not (?:a recorded|one recording)|invented|synthetic|computed, not recorded)/i

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")
const monthNamed = new RegExp(
  `\\b(${months.join("|")})[a-z]*\\.?(?: \\d{1,2},?)? (20\\d\\d)\\b`,
  "gi",
)
const yearOfRecording =
  /(?:^|\b(?:recorded|about|saved|captured|answer of|autumn|late|mid|in)(?: in)?) ?(20\d\d)\b/gi

/** Months, or at least years, that a note tells. */
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

interface Told {
  case: string
  clock?: string
  source?: { note?: string }
}

/** When a case was recorded: "" where nobody knows, null where it is no recording. */
export function recordedAt({ case: name, clock, source }: Told): string | null {
  const note = source?.note ?? ""
  if (notRecorded.test(`${name} ${note}`)) return null
  const told = datesIn(note).sort().at(-1)
  const set = clock?.slice(0, 7)
  // A clock is set later than the recording where that is what the case is about.
  if (set && told) return told.slice(0, 4) === set.slice(0, 4) || told > set ? set : told
  return set ?? told ?? /\b(20\d\d)$/.exec(name)?.[1] ?? ""
}

const caseFile = (folder: string): Told =>
  JSON.parse(readFileSync(join(folder, "case.json"), "utf8"))

/**
 * The month of the newest recording that gives an item; "" where it has no date; null without one.
 * `endOf`: how a case ended, where it was run already.
 */
export async function provenAt(slug: string, endOf = replay): Promise<string | null> {
  const dated = casesUnder(corpus, slug)
    .map((recorded) => ({ recorded, at: recordedAt(caseFile(recorded.folder)) }))
    .filter(({ at }) => at !== null)
    .sort((a, b) => b.at!.localeCompare(a.at!))
  for (const { recorded, at } of dated) {
    const { items } = await endOf(recorded)
    if (items.some((item) => !isErrorItem(item))) return at
  }
  return null
}

if (import.meta.main) {
  if (!existsSync(corpus) || readdirSync(corpus).length === 0)
    throw new Error("No recordings here.")
  const lines: string[] = []
  for (const slug of catalogue.map((scraper) => scraper.slug).sort()) {
    const at = await provenAt(slug)
    if (at !== null) lines.push(`  "${slug}": ${at === "" ? "null" : `"${at}"`},`)
  }
  await Bun.write(
    provenPath,
    `/**
 * The month, or at least the year, of the newest true recording from which a scraper reads an item;
 * null where the recording has no date. Written by scripts/list-proven.ts.
 */
export const proven: Readonly<Record<string, string | null>> = {
${lines.join("\n")}
}
`,
  )
  console.log(`${lines.length} of ${catalogue.length} scrapers are proven.`)
}
