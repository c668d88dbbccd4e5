import {
  type AuthorCandidate,
  authorWordKinds,
} from "../../src/extract/metadata/candidates/author-features.ts"
import { dateWordKinds } from "../../src/extract/metadata/candidates/date-features.ts"
import { type Candidate, rowOf } from "../../src/extract/metadata/candidates/scorer.ts"
import { weighNames } from "../../src/extract/metadata/candidates/weighed-names.ts"
import { type BoostOptions, predict } from "./boost.ts"
import { type Known, type KnownPage, type Learned, learn } from "./candidates.ts"
import { authorLessons, dateLessons } from "./lessons.ts"
import { candidatesOf, type MetadataPage } from "./metadata-pages.ts"

/**
 * Options of the second model of names: it has fewer rows, and all but one of its features are
 * known to the first.
 */
export const nameOptions: BoostOptions = {
  trees: 150,
  leaves: 4,
  rate: 0.05,
  least: 3,
  ridge: 2,
  rowShare: 0.7,
  featureShare: 0.3,
  seed: 1,
}

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

const plain = (text: string) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")
const shortestPart = 3

/** Returns whether a name is one of a page's true authors; either may be longer. */
function isAuthor(name: string, written: string): boolean {
  const own = plain(name)
  return written
    .split(/[,;|/&·•]|\s(?:and|und|et|y|e|og|och|en|i)\s/i)
    .map(plain)
    .some((other) => {
      if (other === "") return false
      if (other === own) return true
      const [short, long] = own.length < other.length ? [own, other] : [other, own]
      return short.length >= shortestPart && long.includes(short)
    })
}

const halfDayMs = 14 * 3_600_000
const dayMs = 86_400_000

/** Returns whether a date is on a day, in any time zone. */
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

interface AuthorPage extends KnownPage {
  candidates: (AuthorCandidate & Known)[]
}

export const authorPages = (pages: MetadataPage[]): AuthorPage[] =>
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

/** The weight of a synthetic page that has one sign, in pages. */
const lessonWeight = 45
/** The first model overfits these pages, so the second has little to learn from them. */
const nameLessonWeight = 5
/** Synthetic pages of dates are easy: more weight would take capacity from the real pages. */
const dateLessonWeight = 5

const lessonPage = (html: string, url: string) => ({
  ...candidatesOf(html, url),
  set: "pages" as const,
})

const lessonsOfAuthors = (): AuthorPage[] =>
  authorPages(
    authorLessons.map(([, html, author, url]) => ({
      ...lessonPage(html, url),
      author,
      date: undefined,
    })),
  ).map((page) => ({ ...page, weight: lessonWeight }))

const lessonsOfDates = (): KnownPage[] =>
  datePages(
    dateLessons.map(([, html, date, url]) => ({
      ...lessonPage(html, url),
      author: undefined,
      date: date ?? "",
    })),
  ).map((page) => ({ ...page, weight: dateLessonWeight }))

/**
 * Trains the scorer of positions, then the scorer of names on the first one's scores for unseen
 * pages.
 */
export function learnAuthors(pages: AuthorPage[]): { author: Learned; name: Learned } {
  const learnPositions = (known: KnownPage[]) =>
    learn([...known, ...lessonsOfAuthors()], authorWordKinds, metadataOptions)
  const weighed = [...new Set(pages.map(({ fold }) => fold))].flatMap((fold) => {
    const first = learnPositions(pages.filter((page) => page.fold !== fold))
    return pages.filter((page) => page.fold === fold).map((page) => weighedPage(page, first))
  })
  const author = learnPositions(pages)
  const lessons = lessonsOfAuthors().map((page) => ({
    ...weighedPage(page, author),
    weight: nameLessonWeight,
  }))
  return { author, name: learn([...weighed, ...lessons], 0, nameOptions) }
}

function weighedPage(page: AuthorPage, first: Learned): KnownPage {
  const right = new Set(page.candidates.filter(({ isRight }) => isRight).map(({ key }) => key))
  const names = weighNames(page.candidates, chancesBy(page.candidates, first))
  return { ...page, candidates: names.map((one) => ({ ...one, isRight: right.has(one.key) })) }
}

export const chancesBy = (candidates: Candidate[], { tables, model }: Learned): number[] =>
  candidates.map((candidate) => {
    const row = rowOf(candidate, tables)
    return predict(model, row, row.length)[0]!
  })

export const learnDates = (pages: KnownPage[]): Learned =>
  learn([...pages, ...lessonsOfDates()], dateWordKinds, metadataOptions)
