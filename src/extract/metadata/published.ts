import { isoDate, textOf } from "../core/index.ts"
import { metaContent } from "../page/index.ts"
import { type SchemaNode, textAt } from "../structured/index.ts"
import { othersOn } from "./other-articles.ts"
import type { PageSources } from "./page-sources.ts"
import { visibleDate } from "./visible-date.ts"

const publishedNames = [
  "article:published_time",
  "og:article:published_time",
  "og:published_time",
  "parsely-pub-date",
  "pubdate",
  "publish-date",
  "publish_date",
  "publishdate",
  "date",
  "dc.date",
  "dc.date.issued",
  "dc.date.created",
  "dcterms.date",
  "dcterms.created",
  "dcterms.issued",
  "sailthru.date",
  "article.published",
  "citation_publication_date",
  "citation_date",
]

const modifiedNames = [
  "article:modified_time",
  "og:article:modified_time",
  "og:updated_time",
  "last-modified",
  "dc.date.modified",
  "dcterms.modified",
  "article.updated",
]

export function publishedAt(sources: PageSources): string | null {
  const { document, main, webPage } = sources
  return (
    nodeDate(sources, main, "datePublished") ??
    nodeDate(sources, main, "dateCreated") ??
    metaDate(sources, publishedNames) ??
    itemDate(document, "datePublished") ??
    itemDate(document, "uploadDate") ??
    plausible(timeInArticle(sources), sources.pageUrl) ??
    elementDate(document.querySelector('[property~="dc:date"]')) ??
    addressDate(sources.pageUrl) ??
    nodeDate(sources, webPage, "datePublished") ??
    nodeDate(sources, main, "uploadDate") ??
    visibleDate(document)
  )
}

export function modifiedAt(sources: PageSources): string | null {
  return (
    nodeDate(sources, sources.main, "dateModified") ??
    nodeDate(sources, sources.webPage, "dateModified") ??
    metaDate(sources, modifiedNames) ??
    itemDate(sources.document, "dateModified")
  )
}

function nodeDate(
  { structured }: PageSources,
  node: SchemaNode | null,
  property: string,
): string | null {
  return node && pageDate(textAt(structured, node, property))
}

function metaDate({ meta }: PageSources, names: string[]): string | null {
  for (const name of names) {
    const date = pageDate(metaContent(meta, name))
    if (date !== null) return date
  }
  return null
}

function itemDate(document: Document, property: string): string | null {
  for (const element of document.querySelectorAll(`[itemprop~=${property}]`)) {
    const date = elementDate(element)
    if (date !== null) return date
  }
  return null
}

function elementDate(element: Element | null): string | null {
  if (!element) return null
  return (
    pageDate(element.getAttribute("content")) ??
    pageDate(element.getAttribute("datetime")) ??
    pageDate(textOf(element))
  )
}

/** The first machine-readable time of the article, not those of other articles in and beside it. */
function timeInArticle({ document, pageUrl }: PageSources): string | null {
  const isAboutOthers = othersOn(document, pageUrl)
  const times = document.querySelectorAll("article time[datetime], main time[datetime]")
  for (const time of times) {
    if (time.closest("aside, nav, footer, a") || isAboutOthers(time)) continue
    const date = pageDate(time.getAttribute("datetime"))
    if (date !== null) return date
  }
  return pageDate(document.querySelector("time[pubdate][datetime]")?.getAttribute("datetime"))
}

/** Two months; chosen by hand. */
const farApartMs = 60 * 86_400_000

/** A time far from the day in the page's address belongs to something else. */
function plausible(date: string | null, pageUrl: string): string | null {
  const stated = addressDate(pageUrl)
  if (date === null || stated === null) return date
  return Math.abs(Date.parse(date) - Date.parse(stated)) > farApartMs ? null : date
}

/** The day in an address such as `/2020/01/13/title`. */
function addressDate(pageUrl: string): string | null {
  const match = /\/((?:19|20)\d\d)[/-](\d{1,2})[/-](\d{1,2})(?:[/-]|$)/.exec(
    new URL(pageUrl).pathname,
  )
  return match
    ? isoDate(`${match[1]}-${match[2]!.padStart(2, "0")}-${match[3]!.padStart(2, "0")}`)
    : null
}

/** A date as pages write it, `4/6/2016 4:00:00 PM` of American servers included. */
export function pageDate(written: string | null | undefined): string | null {
  if (!written) return null
  const american = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})(\s+\d.*)?$/.exec(written)
  if (!american) return isoDate(written)
  const [first, second] = [Number(american[1]), Number(american[2])]
  const [month, day] = first > 12 ? [second, first] : [first, second]
  const date = `${american[3]}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
  return isoDate(`${date}${american[4] ? ` ${dayTime(american[4])}` : ""}`)
}

/** "4:00:00 PM" as 16:00:00. */
function dayTime(written: string): string {
  const clock = /^\s*(\d{1,2})(:\d\d(?::\d\d)?)\s*([ap])\.?m/i.exec(written)
  if (!clock) return written.trim()
  const hour = (Number(clock[1]) % 12) + (clock[3]!.toLowerCase() === "p" ? 12 : 0)
  return `${String(hour).padStart(2, "0")}${clock[2]}`
}
