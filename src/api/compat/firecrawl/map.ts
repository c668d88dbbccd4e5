import { ApiError } from "../../http/errors.ts"
import type { KeylessSurface } from "../../keyless/surface.ts"
import { bodyOf } from "../common/body.ts"
import type { Work } from "../common/refusal.ts"
import { errorOf, failureOf, type Item, runNow } from "../common/run-now.ts"
import { countOf, pageSlug, textOf } from "./calls.ts"
import {
  type Json,
  ofClients,
  requireNone,
  unheard,
  type Version,
  waitOf,
  withoutEffect,
} from "./options.ts"

const maxLinks = 5000
const alias = { field: "url", parameter: "url" }

const received = [
  "url",
  "limit",
  "search",
  "sitemap",
  "sitemapOnly",
  "ignoreSitemap",
  "includeSubdomains",
  "ignoreQueryParameters",
  "timeout",
  ...ofClients,
]

interface Link {
  url: string
  title?: string
}

/** The URLs of a site, from its sitemaps and from the links of the page. */
export function map(surface: KeylessSurface, version: Version): Work {
  return async (call) => {
    const body = await bodyOf(call)
    requireNone(body, ["threatProtection", "zeroDataRetention"])
    const silent = unheard(body, received)
    const endsAt = body.timeout == null ? undefined : Date.now() + waitOf(body.timeout)
    const left = () => (endsAt === undefined ? {} : { waitMs: Math.max(1, endsAt - Date.now()) })
    const url = textOf(body, "url")
    const limit = countOf(body, "limit", maxLinks, maxLinks)
    const words = searchWords(body)
    const { listed, linked } = sourcesOf(body)
    const links: Link[] = []
    let failed: Item | undefined
    // The run's worker ranks the links of a search.
    const isRanked = listed && words.length > 0
    if (listed) {
      const search = {
        mode: "map",
        search: words.join(" "),
        includeSubdomains: body.includeSubdomains !== false,
      }
      const input = { url, maxUrls: limit, ...(isRanked && search) }
      const requested = { slug: "sitemap-extractor", input, maxItems: limit, alias, ...left() }
      const items = await runNow(surface, call, requested)
      failed = items.find((item) => errorOf(item))
      for (const item of items) {
        if (errorOf(item) || (!linked && item.sitemapType === "page")) continue
        const { title } = item
        links.push({ url: String(item.url), ...(typeof title === "string" && { title }) })
      }
    }
    if (linked && !isRanked && links.length < limit) {
      const input = { urls: [url], formats: ["links"], mainContentOnly: false }
      const [page] = await runNow(surface, call, {
        slug: pageSlug,
        input,
        alias: { field: "urls", parameter: "url" },
        ...left(),
      })
      if (errorOf(page)) failed = page
      else for (const { url, text } of linksOf(page)) links.push({ url, title: text })
    }
    const error = errorOf(failed)
    if (links.length === 0 && error) throw failureOf(error)
    const selected = chosen(links, url, isRanked ? [] : words, body).slice(0, limit)
    return {
      success: true,
      links: version === "v1" ? selected.map((link) => link.url) : selected,
      ...(silent.length > 0 && { warning: withoutEffect(silent) }),
    }
  }
}

/** How sitemaps are used. v1 has two flags for it. */
function sourcesOf({ sitemap = "include", sitemapOnly, ignoreSitemap }: Json) {
  return {
    listed: sitemap !== "skip" && ignoreSitemap !== true,
    linked: sitemap !== "only" && sitemapOnly !== true,
  }
}

const linksOf = (page: Item | undefined) =>
  ((page?.links ?? []) as { url: string; text: string }[]).slice(0, maxLinks)

/** Limits of a search: each word is compared with each link. */
const maxSearchChars = 500
const maxSearchWords = 20
const maxComparedChars = 300

/** @throws ApiError 400 */
function searchWords({ search }: Json): string[] {
  if (search === undefined || search === null) return []
  if (typeof search !== "string") throw new ApiError(400, '"search" must be a string.')
  const words = search.toLowerCase().trim().split(/\s+/).filter(Boolean)
  if (search.length > maxSearchChars || words.length > maxSearchWords) {
    throw new ApiError(
      400,
      `"search" may have ${maxSearchChars} characters and ${maxSearchWords} words, not ${search.length} and ${words.length}.`,
    )
  }
  return words
}

/** Each link of the site once, links with the most matching words first. */
function chosen(links: Link[], start: string, words: readonly string[], body: Json): Link[] {
  const site = hostOf(/^https?:/i.test(start) ? start : `https://${start}`)
  const subdomains = body.includeSubdomains !== false
  const byUrl = new Map<string, Link>()
  for (const { url, title } of links) {
    const host = hostOf(url)
    const isOwn = host === site || (subdomains && host.endsWith(`.${site}`))
    const href = body.ignoreQueryParameters === true ? url.replace(/[?#].*$/s, "") : url
    if (!isOwn) continue
    const known = byUrl.get(href)
    byUrl.set(href, { url: href, ...known, ...(title && { title }) })
  }
  const all = [...byUrl.values()]
  if (words.length === 0) return all
  const rank = ({ url, title = "" }: Link) => {
    const text =
      `${url.slice(0, maxComparedChars)} ${title.slice(0, maxComparedChars)}`.toLowerCase()
    return words.filter((word) => text.includes(word)).length
  }
  const ranked = all.map((link) => ({ link, rank: rank(link) }))
  return ranked
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ link }) => link)
}

const hostOf = (url: string) => (URL.parse(url)?.hostname ?? "").replace(/^www\./, "")
