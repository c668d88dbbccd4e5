import { authorWordKinds } from "../../src/extract/metadata/candidates/author-features.ts"
import { dateWordKinds } from "../../src/extract/metadata/candidates/date-features.ts"
import type { BoostOptions } from "./boost.ts"
import { type KnownPage, type Learned, learn } from "./candidates.ts"
import { authorLessons, dateLessons } from "./lessons.ts"
import { candidatesOf, type MetadataPage } from "./metadata-pages.ts"

export const metadataOptions: BoostOptions = {
  trees: 300,
  leaves: 6,
  rate: 0.05,
  least: 2,
  ridge: 1,
  rowShare: 0.7,
  featureShare: 0.2,
  seed: 1,
}

const bare = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")
const shortestPart = 3

/** Whether a name is one of those that a page was found to be by; either may have more to it. */
function isAuthor(name: string, written: string): boolean {
  const own = bare(name)
  return written
    .split(/[,;|/&·•]|\s(?:and|und|et|y|e|og|och|en|i)\s/i)
    .map(bare)
    .some((other) => {
      if (other === "") return false
      if (other === own) return true
      const [short, long] = own.length < other.length ? [own, other] : [other, own]
      return short.length >= shortestPart && long.includes(short)
    })
}

const halfDayMs = 14 * 3_600_000
const dayMs = 86_400_000

/** Whether a date is of a day, in whatever time zone. */
function isOfDay(value: string, written: string): boolean {
  const day = written
    .replace(/^(\d{4})-(\d\d)-(0\d|1[0-2])$/, (same, year, month, other) =>
      Number(month) > 12 ? `${year}-${other}-${month}` : same,
    )
    .slice(0, 10)
  if (value.startsWith(day)) return true
  const apart = Date.parse(value) - Date.parse(day)
  return value.length > 10 && apart > -halfDayMs && apart < dayMs + halfDayMs
}

export const authorPages = (pages: MetadataPage[]): KnownPage[] =>
  pages
    .filter(({ author }) => author !== undefined)
    .map(({ site, fold, author, authors }) => ({
      site,
      fold,
      weight: 1,
      candidates: authors.map((one) => ({
        ...one,
        isRight: author !== null && isAuthor(one.name, author!),
      })),
    }))

export const datePages = (pages: MetadataPage[]): KnownPage[] =>
  pages
    .filter(({ date }) => date !== undefined)
    .map(({ site, fold, date, dates }) => ({
      site,
      fold,
      weight: 1,
      candidates: dates.map((one) => ({ ...one, isRight: isOfDay(one.value, date!) })),
    }))

/** A small page made up for one sign counts as so many. */
const lessonWeight = 45

function lessonPages(kind: "author" | "date"): KnownPage[] {
  const lessons = kind === "author" ? authorLessons : dateLessons
  return lessons.map(([, html, truth, url]): KnownPage => {
    const page = { ...candidatesOf(html, url), set: "pages" as const }
    const [known] =
      kind === "author"
        ? authorPages([{ ...page, author: truth, date: undefined }])
        : datePages([{ ...page, author: undefined, date: truth ?? "" }])
    return { ...known!, weight: lessonWeight }
  })
}

export const learnAuthors = (pages: KnownPage[]): Learned =>
  learn([...pages, ...lessonPages("author")], authorWordKinds, metadataOptions)

export const learnDates = (pages: KnownPage[]): Learned =>
  learn([...pages, ...lessonPages("date")], dateWordKinds, metadataOptions)
