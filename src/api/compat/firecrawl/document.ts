import { errorStatus, type Item, type ScrapeFacts } from "../common/run-now.ts"
import { brandingOf } from "./branding.ts"
import { type ChangeOptions, changeTracking } from "./change-tracking.ts"
import { type ObjectForm, objectOf } from "./extraction.ts"
import type { Form, Json } from "./options.ts"

/** A page in Firecrawl's format, from an item of url-to-markdown or of the crawler. */
export function documentOf(
  item: Item,
  {
    forms,
    warning,
    object,
    changes,
    hasResults = false,
    facts,
  }: {
    forms: Form[]
    warning?: string
    object?: { form: ObjectForm; isHidden?: boolean } | undefined
    changes?: Pick<ChangeOptions, "modes"> | undefined
    hasResults?: boolean
    facts?: Partial<ScrapeFacts> | undefined
  },
) {
  const reported = object && !object.isHidden ? objectOf(object.form, item.extracted) : {}
  const warnings = [warning, reported.warning].filter(Boolean).join(" ")
  const wants = (form: Form) => forms.includes(form)
  return {
    ...(wants("markdown") && { markdown: item.markdown }),
    ...(wants("html") && { html: item.html }),
    ...(wants("rawHtml") && { rawHtml: item.rawHtml }),
    ...(wants("links") && { links: urls(item.links) }),
    ...(wants("images") && { images: urls(item.images) }),
    ...(wants("screenshot") && { screenshot: urlOf(item.screenshot) }),
    ...(hasResults && { actions: resultsOf(item) }),
    ...(wants("attributes") && { attributes: item.attributes ?? [] }),
    ...(wants("branding") && { branding: brandingOf(item) }),
    ...(wants("changeTracking") && {
      changeTracking: changeTracking(item, changes?.modes ?? []),
    }),
    ...(wants("summary") && { summary: ownSummaryOf(item) }),
    ...reported,
    ...(warnings !== "" && { warning: warnings }),
    metadata: { ...metadataOf(item), ...(facts && factsOf(facts)) },
  }
}

/** The facts of the document's run, with Firecrawl's names. */
function factsOf({ scrapeId, cachedAge, creditsUsed, isUnlocked }: Partial<ScrapeFacts>): Json {
  const isHit = cachedAge !== undefined
  return {
    ...(scrapeId !== undefined && { scrapeId }),
    cacheState: isHit ? "hit" : "miss",
    ...(isHit && { cachedAt: new Date(Date.now() - cachedAge * 1000).toISOString() }),
    ...(creditsUsed !== undefined && { creditsUsed }),
    ...(isUnlocked !== undefined && { proxyUsed: isUnlocked ? "stealth" : "basic" }),
  }
}

const maxSummary = 500
const longDescription = 60

/** The page's description, or its first sentences. */
function ownSummaryOf({ description, markdown }: Item): string {
  const summary = typeof description === "string" ? description.trim() : ""
  if (summary.length >= longDescription) return summary
  const text = String(markdown ?? "")
    .replace(/^(?:#.*|```[\s\S]*?```|[-*+] .*|\|.*|!\[.*)$/gm, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\s+/g, " ")
    .trim()
  if (text.length <= maxSummary) return text || summary
  const sentences = /^[\s\S]*[.!?。！？](?=\s|$)/.exec(text.slice(0, maxSummary))?.[0]
  return (sentences ?? `${text.slice(0, maxSummary)}…`).trim()
}

/** Results of actions. */
function resultsOf({ actionScreenshots, actionResults, pdf }: Item) {
  const screenshots = (actionScreenshots ?? []) as unknown[]
  const { pages = [], values = [] } = (actionResults ?? {}) as Record<string, unknown[]>
  return {
    screenshots: screenshots.map(urlOf),
    scrapes: pages,
    pdfs: pdf ? [urlOf(pdf)] : [],
    javascriptReturns: values.map((value) => ({ type: typeOf(value), value })),
  }
}

const typeOf = (value: unknown) =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

const urlOf = (file: unknown) => (file as Json | undefined)?.url

function urls(entries: unknown): string[] {
  if (!Array.isArray(entries)) return []
  return entries.map((entry) => (typeof entry === "string" ? entry : String(entry.url)))
}

/** Open Graph properties by Firecrawl's names. */
const openGraph: Record<string, string> = {
  "og:title": "ogTitle",
  "og:description": "ogDescription",
  "og:url": "ogUrl",
  "og:image": "ogImage",
  "og:audio": "ogAudio",
  "og:locale": "ogLocale",
  "og:site_name": "ogSiteName",
  "og:video": "ogVideo",
}

function metadataOf(item: Item): Json {
  const metas = (item.metadata ?? {}) as Record<string, string[]>
  const written: Json = {}
  for (const [name, contents] of Object.entries(metas)) {
    const value = contents.length === 1 ? contents[0] : contents
    written[name] = value
    if (openGraph[name]) written[openGraph[name]] = value
  }
  const known: Json = {
    title: item.title,
    description: item.description,
    language: item.language,
    publishedTime: item.publishedAt,
    sourceURL: item.url,
    url: item.finalUrl ?? item.url,
    statusCode: item.statusCode,
    contentType: item.contentType,
    numPages: (item.document as Json | undefined)?.pagesRead,
    totalPages: (item.document as Json | undefined)?.pageCount,
    error: errorStatus(item)?.phrase,
  }
  for (const [name, value] of Object.entries(known)) {
    if (value !== undefined && value !== null) written[name] = value
  }
  return written
}
