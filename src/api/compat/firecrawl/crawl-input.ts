import { ApiError } from "../../http/errors.ts"
import { notOffered } from "../common/refusal.ts"
import { countOf, textOf } from "./calls.ts"
import {
  type Caller,
  type Json,
  ofClients,
  pageOptions,
  requireJobForms,
  requireNone,
  unheard,
  withoutEffect,
} from "./options.ts"
import { crawlOptionsIn, maxPromptCharacters } from "./params-preview.ts"

/** Maximum pages of a crawl, as in Firecrawl. */
const maxCrawlPages = 10_000
const deepest = 20

const refused = ["ignoreRobotsTxt", "robotsUserAgent", "zeroDataRetention"]
const crawlReceived = [
  "url",
  "limit",
  "maxDiscoveryDepth",
  "maxDepth",
  "allowSubdomains",
  "crawlEntireDomain",
  "allowBackwardLinks",
  "includePaths",
  "excludePaths",
  "regexOnFullURL",
  "ignoreQueryParameters",
  "sitemap",
  "allowExternalLinks",
  "deduplicateSimilarURLs",
  "delay",
  "ignoreSitemap",
  "scrapeOptions",
  "webhook",
  "maxConcurrency",
  ...ofClients,
]
const pageForms = ["markdown", "html", "rawHtml", "links", "images", "screenshot"]

/** Returns the crawler's input. @throws ApiError 400 for options that Trawl does not have */
export function crawlInput(
  url: string,
  written: Json,
  caller: Caller,
): { input: Json; warning?: string } {
  const { body, promptWarning } = withPrompt(written)
  const wanted = (body.scrapeOptions ?? {}) as Json
  requireNone(body, refused, " of a crawl")
  const scrapeOptions = pageOptions(wanted, caller)
  const { forms, input, object } = scrapeOptions
  requireJobForms(forms)
  const depth = body.maxDiscoveryDepth ?? body.maxDepth
  const onlyListed = body.sitemap === "only"
  const below = pathOf(url, body)
  const silent = unheard(body, crawlReceived)
  const warnings = [
    ...(promptWarning ? [promptWarning] : []),
    ...(silent.length > 0 ? [withoutEffect(silent)] : []),
    ...(scrapeOptions.warning ? [scrapeOptions.warning] : []),
  ]
  const formats = forms.filter(
    (form) => pageForms.includes(form) && !["markdown", "links"].includes(form),
  )
  const { formats: _, ...page } = input
  return {
    input: {
      startUrls: [onlyListed ? sitemapOf(url) : url],
      maxPages: countOf(body, "limit", maxCrawlPages, maxCrawlPages),
      maxDepth: onlyListed ? 0 : depthOf(depth),
      ...(body.allowExternalLinks === true && { allowExternalLinks: true }),
      ...(body.deduplicateSimilarURLs !== false && { ignoreSimilarUrls: true }),
      delaySeconds: delayOf(body.delay),
      includeSubdomains: body.allowSubdomains === true,
      ...(below && { urlPattern: below }),
      includePaths: pathsOf(body, "includePaths"),
      excludePaths: pathsOf(body, "excludePaths"),
      ...(body.regexOnFullURL === true && { matchWholeUrl: true }),
      ...(body.ignoreQueryParameters === true && { ignoreQuery: true }),
      formats: [...formats, "metadata"],
      ...page,
      ...(object && { extract: object.input }),
    },
    ...(warnings.length > 0 && { warning: warnings.join(" ") }),
  }
}

/** Adds the options of the prompt. Options of the body take precedence. @throws ApiError 400 */
function withPrompt({ prompt, ...body }: Json): { body: Json; promptWarning?: string } {
  if (prompt === undefined || prompt === null || prompt === "") return { body }
  const options = crawlOptionsIn(textOf({ prompt }, "prompt").slice(0, maxPromptCharacters))
  if (Object.keys(options).length === 0) {
    throw notOffered(
      'A "prompt" without a path, number or known phrase',
      'Write, for example, "only /blog, 50 pages".',
    )
  }
  const promptWarning = `Options read from the prompt: ${JSON.stringify(options)}.`
  return { body: { ...options, ...body }, promptWarning }
}

const depthOf = (depth: unknown) =>
  typeof depth === "number" ? Math.min(Math.max(0, Math.floor(depth)), deepest) : deepest

const maxDelaySeconds = 60

/** @throws ApiError 400 */
function delayOf(delay: unknown): number {
  if (delay === undefined || delay === null) return 0
  if (typeof delay === "number" && delay >= 0 && delay <= maxDelaySeconds) return delay
  throw new ApiError(400, `"delay" must be a number of seconds from 0 to ${maxDelaySeconds}.`)
}

const whole = (url: string) => URL.parse(/^https?:/i.test(url) ? url : `https://${url}`)

const sitemapOf = (url: string) => new URL("/sitemap.xml", whole(url) ?? undefined).href

function pathsOf(body: Json, name: string): string[] {
  const paths = body[name] ?? []
  if (Array.isArray(paths) && paths.every((path) => typeof path === "string")) return paths
  throw new ApiError(400, `"${name}" must be a list of regular expressions.`)
}

/**
 * The path that crawled URLs must contain: the path of the start page, unless the whole site is
 * requested.
 */
function pathOf(url: string, body: Json): string | undefined {
  if (body.crawlEntireDomain === true || body.allowBackwardLinks === true) return undefined
  // "includePaths" alone decides if it is set.
  if (pathsOf(body, "includePaths").length > 0) return undefined
  const { host = "", pathname = "/" } = whole(url) ?? {}
  const folder = pathname.replace(/\/+$/, "")
  return folder === "" || body.allowSubdomains === true ? undefined : `${host}${folder}`
}
