import { mainHeading, metaContent } from "../../page/index.ts"
import type { PageSources } from "../page-sources.ts"
import { type DateKind, dateKinds, datesOf, type StatedDate } from "./date-candidates.ts"
import { nameMeaning } from "./element-names.ts"
import type { PageLines } from "./lines.ts"
import type { Candidate } from "./scorer.ts"
import {
  Surroundings,
  statedNear,
  surroundingFeatureNames,
  wordsAround,
  wordsOfText,
} from "./surroundings.ts"

export interface DateCandidate extends Candidate {
  /** The day, which several may state. */
  key: string
  /** With the time if the page states it. */
  value: string
  /** Whether the data of the page's own article states it. */
  isOwn: boolean
  /** The kind that the page's data and marks give it. */
  reported: "published" | "modified" | null
}

/** Kinds of words: names of the elements around it, further out, the text before and after. */
export const dateWordKinds = 4

const dayFeatures = [
  ...dateKinds.map((kind) => `day ${kind}`),
  "kinds",
  "mentions",
  "texts",
  "is earliest",
  "is latest",
  "after earliest",
  "before latest",
  "from address",
  "month of address",
  "year",
]
const ownFeatures = [...dateKinds.map((kind) => `own ${kind}`), "rank", "has time"]
const visibleFeatures = [
  "date word",
  "text length",
  "before length",
  "first after heading",
  ...surroundingFeatureNames,
]
const pageFeatures = ["page has node", "page og article", "page days", "page states"]
export const dateFeatureNames = [
  ...dayFeatures,
  ...ownFeatures,
  ...visibleFeatures,
  ...pageFeatures,
]

const unknown = visibleFeatures.map(() => -1)
const dayMs = 86_400_000

/** Every date on a page, described; those of its head and data come first. */
export function dateCandidates(sources: PageSources, page: PageLines): DateCandidate[] {
  const all = datesOf(sources, page)
  const heading = mainHeading(sources.document.body)
  const headingLine = heading ? (page.at.get(heading) ?? -1) : -1
  const around = new Surroundings(page, headingLine)
  const byDay = new Map<string, StatedDate[]>()
  let firstAfter = Number.POSITIVE_INFINITY
  for (const one of all) {
    const same = byDay.get(dayOf(one))
    if (same) same.push(one)
    else byDay.set(dayOf(one), [one])
    if (!one.visible) continue
    around.note(`${one.value} ${one.visible.line}`, one.visible.line, one.visible.context)
    if (one.kind === "text" && one.visible.line >= headingLine) {
      firstAfter = Math.min(firstAfter, one.visible.line)
    }
  }
  const ofDay = daysDescribed(byDay, sources.pageUrl)
  const type = metaContent(sources.meta, "og:type")?.toLowerCase() ?? ""
  const ofPage = [
    sources.main ? 1 : 0,
    type.includes("article") ? 1 : 0,
    Math.log1p(byDay.size),
    all.filter(({ visible }) => !visible).length,
  ]
  return all.map((one) => {
    const { kind, rank, value, visible } = one
    const { inner, outer } = visible ? wordsAround(visible.context) : { inner: [], outer: [] }
    const own = dateKinds.map((other) => (other === kind ? 1 : 0))
    const ofVisible = visible
      ? [
          statedNear(visible.context, nameMeaning.date),
          visible.text.length,
          visible.before.length,
          visible.line === firstAfter ? 1 : 0,
          ...around.features(visible.line, visible.context),
        ]
      : unknown
    const after = visible ? visible.text.replace(/^.*\d{4}/, "") : ""
    return {
      key: dayOf(one),
      value,
      isOwn: kind === "main published",
      reported: reportedAs(kind),
      features: [
        ...ofDay.get(dayOf(one))!,
        ...own,
        rank,
        value.length > 10 ? 1 : 0,
        ...ofVisible,
        ...ofPage,
      ],
      words: [
        inner,
        outer,
        visible ? wordsOfText(visible.before).slice(-3) : [],
        wordsOfText(after).slice(0, 2),
      ],
    }
  })
}

function reportedAs(kind: DateKind): DateCandidate["reported"] {
  if (/ modified$/.test(kind)) return "modified"
  return /^(?:main|meta|page|item) published$/.test(kind) ? "published" : null
}

const dayOf = ({ value }: StatedDate) => value.slice(0, 10)

/** Combines the descriptions of all candidates with the same day. */
function daysDescribed(
  byDay: ReadonlyMap<string, StatedDate[]>,
  pageUrl: string,
): Map<string, number[]> {
  const times = [...byDay.keys()].map((day) => Date.parse(day))
  const earliest = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const latest = times.reduce((a, b) => Math.max(a, b), 0)
  const inAddress = [...byDay].find(([, same]) => same.some(({ kind }) => kind === "address"))?.[0]
  const month = /\/((?:19|20)\d\d)\/(\d\d)\//.exec(pageUrl)
  const apart = (a: number, b: number) => Math.log1p(Math.abs(a - b) / dayMs)
  const describe = (day: string, same: StatedDate[]) => {
    const time = Date.parse(day)
    const kinds = new Set<DateKind>(same.map(({ kind }) => kind))
    return [
      ...dateKinds.map((kind) => (kinds.has(kind) ? 1 : 0)),
      kinds.size,
      same.length,
      same.filter(({ kind }) => kind === "text").length,
      time === earliest ? 1 : 0,
      time === latest ? 1 : 0,
      apart(time, earliest),
      apart(time, latest),
      inAddress ? apart(time, Date.parse(inAddress)) : -1,
      month ? (day.startsWith(`${month[1]}-${month[2]}`) ? 1 : -1) : 0,
      Number(day.slice(0, 4)),
    ]
  }
  return new Map([...byDay].map(([day, same]) => [day, describe(day, same)]))
}
