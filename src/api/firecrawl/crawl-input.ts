import { notOffered } from "../dropin/refusal.ts"
import { ApiError } from "../http/errors.ts"
import { countOf } from "./calls.ts"
import { type Caller, type Json, pageOptions, withoutEffect } from "./options.ts"

/** Pages of a crawl, as both sides have it. */
const mostPages = 10_000
const deepest = 20

export const webhookHint = "Webhooks of the account are made by POST /api/v1/webhooks."

const crawlRefused = ["prompt", "excludePaths", "allowExternalLinks", "webhook", "regexOnFullURL"]
const crawlHeard = [
  "url",
  "limit",
  "maxDiscoveryDepth",
  "maxDepth",
  "allowSubdomains",
  "crawlEntireDomain",
  "allowBackwardLinks",
  "includePaths",
  "scrapeOptions",
  "origin",
  "integration",
]

/** The crawler's input. @throws ApiError 400 naming what cannot be done */
export function crawlInput(
  url: string,
  body: Json,
  caller: Caller,
): { input: Json; warning?: string } {
  for (const name of crawlRefused) {
    const value = body[name]
    const isAsked = Array.isArray(value) ? value.length > 0 : Boolean(value)
    if (isAsked) throw notOffered(`"${name}"`, name === "webhook" ? webhookHint : "")
  }
  const scrapeOptions = pageOptions((body.scrapeOptions ?? {}) as Json, caller)
  const { forms, input, object } = scrapeOptions
  const other = forms.find((form) => !["markdown", "links", "screenshot"].includes(form))
  if (other) {
    throw notOffered(
      `The format "${other}" of a crawl`,
      "Crawls give markdown, links, screenshot and json; batch/scrape gives all.",
    )
  }
  const depth = body.maxDiscoveryDepth ?? body.maxDepth
  const pattern = patternOf(url, body)
  const silent = Object.keys(body).filter(
    (name) => !crawlHeard.includes(name) && !crawlRefused.includes(name) && body[name] != null,
  )
  const warnings = [
    ...(silent.length > 0 ? [withoutEffect(silent)] : []),
    ...(scrapeOptions.warning ? [scrapeOptions.warning] : []),
  ]
  return {
    input: {
      startUrls: [url],
      maxPages: countOf(body, "limit", mostPages, mostPages),
      maxDepth: typeof depth === "number" ? Math.min(Math.max(0, depth), deepest) : deepest,
      includeSubdomains: body.allowSubdomains === true,
      ...(pattern && { urlPattern: pattern }),
      ...(forms.includes("screenshot") && {
        formats: ["screenshot"],
        screenshot: input.screenshot,
      }),
      ...(object && { extract: object.input }),
    },
    ...(warnings.length > 0 && { warning: warnings.join(" ") }),
  }
}

/** What a found address must contain: one plain path, or the start page's own, as far as it is asked for. */
function patternOf(url: string, body: Json): string | undefined {
  const paths = (body.includePaths ?? []) as unknown
  if (!Array.isArray(paths)) throw new ApiError(400, '"includePaths" must be a list.')
  if (paths.length > 0) {
    const [, plain] =
      /^\^?\/?([\w/~%-]+?)\/?(?:\.\*|\/\.\*|\/\*|\.\+)?\$?$/.exec(String(paths[0])) ?? []
    if (paths.length === 1 && plain) return `/${plain}`
    throw notOffered("This includePaths", 'It takes one plain path, such as "blog/.*".')
  }
  if (body.crawlEntireDomain === true || body.allowBackwardLinks === true) return undefined
  const { host = "", pathname = "/" } =
    URL.parse(/^https?:/i.test(url) ? url : `https://${url}`) ?? {}
  const folder = pathname.replace(/\/+$/, "")
  return folder === "" || body.allowSubdomains === true ? undefined : `${host}${folder}`
}
