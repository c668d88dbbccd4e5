import { readFileSync } from "node:fs"
import { join } from "node:path"
import { decodeBody } from "../../src/engine/net/http/charset.ts"
import { readArticle } from "../../src/extract/article/index.ts"
import { parseDocument } from "../../src/extract/core/index.ts"
import { readMetadata, readSources } from "../../src/extract/metadata/index.ts"
import { pageBytes } from "./pages.ts"

/** The score of one page, with its missing and its excess text. */
export interface PageScore {
  id: string
  url: string
  /** 0 is the worst. */
  score: number
  recall: number
  /** Recall of the truth; null if only some passages are known. */
  words: number | null
  missing: string[]
  tooMuch: string[]
}

export interface ContentScore {
  f1: number
  precision: number
  recall: number
  pages: PageScore[]
}

export type Only = (id: string, index: number) => boolean

interface ArticleTruth {
  url: string
  articleBody: string
}

interface SegmentTruth {
  url: string
  with: string[]
  without: string[]
  author?: string
  date?: string
  title?: string
}

export function readTruth<T>(folder: string, only: Only): [id: string, truth: T][] {
  const truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")) as Record<string, T>
  return Object.entries(truth)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .filter(([id], index) => only(id, index))
}

function page(folder: string, id: string, url: string) {
  return readSources(parseDocument(decodeBody(pageBytes(folder, id), "text/html")), url)
}

/** Called with the URL of each page before it is read. */
type Prepare = (url: string) => void

const articleText = (folder: string, id: string, url: string, prepare: Prepare) => {
  prepare(url)
  return readArticle(page(folder, id, url)).text
}
const unprepared: Prepare = () => {}

/** Returns runs of four words with their counts; a text with fewer words is one run. */
function shingles(text: string): Map<string, number> {
  const words = text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []
  const counts = new Map<string, number>()
  const last = Math.max(0, words.length - 4)
  for (let at = 0; at <= last && words.length > 0; at++) {
    const run = words.slice(at, at + 4).join(" ")
    counts.set(run, (counts.get(run) ?? 0) + 1)
  }
  return counts
}

/** Returns the shares of each count within the other. */
function compare(found: Map<string, number>, wanted: Map<string, number>) {
  let both = 0
  let extra = 0
  let missing = 0
  for (const [run, count] of found) {
    const shared = Math.min(count, wanted.get(run) ?? 0)
    both += shared
    extra += count - shared
  }
  for (const [run, count] of wanted) missing += Math.max(0, count - (found.get(run) ?? 0))
  return { both, extra, missing }
}

const ratio = (part: number, rest: number) => (part + rest === 0 ? 0 : part / (part + rest))
const f1Of = (precision: number, recall: number) =>
  precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall)

/**
 * Scores the articles set: shingles of four words, precision and recall averaged over the pages.
 */
export function articleQuality(
  folder: string,
  only: Only,
  prepare: Prepare = unprepared,
): ContentScore {
  const pages: PageScore[] = []
  let precisions = 0
  let recalls = 0
  const truths = readTruth<ArticleTruth>(folder, only)
  for (const [id, { url, articleBody }] of truths) {
    const text = articleText(folder, id, url, prepare)
    const wanted = shingles(articleBody)
    const found = shingles(text)
    const { both, extra, missing } = compare(found, wanted)
    const precision = ratio(both, extra)
    const recall = ratio(both, missing)
    precisions += precision
    recalls += recall
    pages.push({
      id,
      url,
      score: f1Of(precision, recall),
      recall,
      words: sum(wordCounts(articleBody)),
      missing: linesBeyond(articleBody, found),
      tooMuch: linesBeyond(text, wanted),
    })
  }
  const precision = precisions / truths.length
  const recall = recalls / truths.length
  return { f1: f1Of(precision, recall), precision, recall, pages }
}

/** Returns the lines of a text that are less than half in another. */
function linesBeyond(text: string, other: Map<string, number>): string[] {
  return text.split("\n").filter((line) => {
    const runs = [...shingles(line).keys()]
    return runs.length > 0 && runs.filter((run) => other.has(run)).length < runs.length / 2
  })
}

/** Normalizes white space and removes characters that cannot be seen. */
const comparable = (text: string) =>
  text
    .normalize("NFC")
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim()

/** Scores the segments set: passages that belong to the content, and passages that do not. */
export function segmentQuality(
  folder: string,
  only: Only,
  prepare: Prepare = unprepared,
): ContentScore {
  let [hits, misses, wrong] = [0, 0, 0]
  const pages: PageScore[] = []
  for (const [id, truth] of readTruth<SegmentTruth>(folder, only)) {
    const text = comparable(articleText(folder, id, truth.url, prepare))
    const holds = (passage: string) => text.includes(comparable(passage))
    const missing = truth.with.filter((passage) => !holds(passage))
    const tooMuch = truth.without.filter(holds)
    hits += truth.with.length - missing.length
    misses += missing.length
    wrong += tooMuch.length
    pages.push({
      ...{ id, url: truth.url, score: -missing.length - tooMuch.length },
      ...{ recall: ratio(truth.with.length - missing.length, missing.length), words: null },
      ...{ missing, tooMuch },
    })
  }
  const precision = ratio(hits, wrong)
  const recall = ratio(hits, misses)
  return { f1: f1Of(precision, recall), precision, recall, pages }
}

interface TypedTruth extends SegmentTruth {
  type: string
  content: string
}

export interface TypeScore extends ContentScore {
  /** `all`, or a type of page. */
  type: string
  /** Shares of the passages in the text: of those that belong to the content, and of the others. */
  withShare: number
  withoutShare: number
}

/**
 * Scores the pages set: words as multisets, each figure averaged over the pages of a type, and over
 * all.
 */
export function typedQuality(
  folder: string,
  only: Only,
  prepare: Prepare = unprepared,
): TypeScore[] {
  const byType = new Map<string, (PageScore & { figures: number[] })[]>()
  for (const [id, { url, type, content, ...truth }] of readTruth<TypedTruth>(folder, only)) {
    const text = articleText(folder, id, url, prepare)
    const lower = text.toLowerCase()
    const held = (passages: string[]) =>
      passages.filter((passage) => lower.includes(passage.toLowerCase())).length /
      Math.max(1, passages.length)
    const { both, extra, missing } = compare(wordCounts(text), wordCounts(content))
    const [precision, recall] = [ratio(both, extra), ratio(both, missing)]
    const f1 = f1Of(precision, recall)
    const page = {
      id,
      url,
      score: f1,
      recall,
      words: sum(wordCounts(content)),
      missing: linesBeyond(content, shingles(text)),
      tooMuch: linesBeyond(text, shingles(content)),
      figures: [f1, precision, recall, held(truth.with), held(truth.without)],
    }
    for (const key of ["all", type]) byType.set(key, [...(byType.get(key) ?? []), page])
  }
  return [...byType].map(([type, pages]) => {
    const mean = (at: number) =>
      pages.reduce((sum, { figures }) => sum + figures[at]!, 0) / pages.length
    return {
      type,
      f1: mean(0),
      precision: mean(1),
      recall: mean(2),
      withShare: mean(3),
      withoutShare: mean(4),
      pages,
    }
  })
}

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0)

/** Returns the pages of more than 100 words of truth that lose more than 0.7 of them. */
export function lostPages({ pages }: ContentScore): { lost: PageScore[]; of: number } {
  const long = pages.filter(({ words }) => words === null || words > 100)
  return { lost: long.filter(({ recall }) => recall < 0.3), of: long.length }
}

function wordCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{M}\p{N}_]+/gu)) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

type Attribute = "author" | "date" | "title"

export interface MetadataScore {
  /** `no author`: the share of the pages without an author for which none is returned. */
  attribute: Attribute | "no author"
  right: number
  total: number
  differences: { url: string; wanted: string; found: string | null }[]
}

/**
 * Scores author, date and title if they are known; typed pages without one in the truth have none.
 */
export function metadataQuality(folder: string, only: Only): MetadataScore[] {
  const found = readTruth<SegmentTruth>(folder, only).map(([id, truth]) => ({
    truth,
    metadata: readMetadata(page(folder, id, truth.url)),
  }))
  const scores = (["author", "date", "title"] as const).map((attribute): MetadataScore => {
    const known = found.filter(({ truth }) => truth[attribute])
    const differences = known.flatMap(({ truth, metadata }) => {
      const value = attribute === "date" ? metadata.publishedAt : metadata[attribute]
      const wanted = truth[attribute]!
      return agrees[attribute](wanted, metadata) ? [] : [{ url: truth.url, wanted, found: value }]
    })
    return { attribute, right: known.length - differences.length, total: known.length, differences }
  })
  const without = found.filter(({ truth }) => "type" in truth && !truth.author)
  const invented = without.flatMap(({ truth: { url }, metadata: { author } }) =>
    author === null ? [] : [{ url, wanted: "none", found: author }],
  )
  const right = without.length - invented.length
  return [
    ...scores,
    { attribute: "no author", right, total: without.length, differences: invented },
  ]
}

const plain = (text: string | null) =>
  (text ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "")

/** Minimum similarity of two titles for both to be right. */
const titleLikeness = 0.6
const halfDay = 14 * 3_600_000

export const agrees: Record<
  Attribute,
  (
    wanted: string,
    metadata: Pick<ReturnType<typeof readMetadata>, "author" | "publishedAt" | "title">,
  ) => boolean
> = {
  // Every returned name is expected, and the first expected one is returned; either may be longer.
  author: (wanted, { author }) => {
    const all = namesOf(wanted)
    const found = namesOf(author ?? "")
    const agree = (a: string, b: string) => a.includes(b) || b.includes(a)
    return (
      found.length > 0 &&
      found.every((name) => all.some((other) => agree(name, other))) &&
      found.some((name) => agree(name, all[0] ?? name))
    )
  },
  // The expected day is in the page's own time zone, which a time in UTC does not show.
  date: (written, { publishedAt }) => {
    const wanted = written.replace(/^(\d{4})-(\d\d)-(0\d|1[0-2])$/, (day, year, month, other) =>
      Number(month) > 12 ? `${year}-${other}-${month}` : day,
    )
    if (publishedAt === null) return false
    return (
      publishedAt.startsWith(wanted.slice(0, 10)) ||
      (publishedAt.length > 10 && touchesDay(Date.parse(publishedAt), Date.parse(wanted)))
    )
  },
  title: (wanted, { title }) => {
    const [a, b] = [plain(wanted), plain(title)]
    if (b === "") return false
    return a.includes(b) || b.includes(a) || likeness(wanted, title!) >= titleLikeness
  },
}

/** Returns the bare names of a list that signs or the word for "and" separate. */
const namesOf = (list: string) =>
  list
    .split(/[,;|/&·•]|\s(?:and|und|et|y|e|og|och|en|i)\s/i)
    .map(plain)
    .filter((name) => name !== "")

const touchesDay = (instant: number, day: number) =>
  instant > day - halfDay && instant < day + 86_400_000 + halfDay

/** Returns the share of the words of two texts that both have. */
function likeness(a: string, b: string): number {
  const words = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
  const [first, second] = [words(a), words(b)]
  const shared = [...first].filter((word) => second.has(word)).length
  return (2 * shared) / Math.max(1, first.size + second.size)
}
