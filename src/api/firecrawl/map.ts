import { bodyOf } from "../dropin/body.ts"
import type { Work } from "../dropin/refusal.ts"
import { errorOf, failureOf, type Item, runNow } from "../dropin/run-now.ts"
import type { KeylessSurface } from "../keyless/surface.ts"
import { countOf, pageSlug, textOf } from "./calls.ts"
import type { Json, Version } from "./options.ts"

const mostLinks = 5000
const alias = { field: "url", parameter: "url" }

interface Link {
  url: string
  title?: string
}

/** The addresses of a site: of its sitemaps, and those that the page links to. */
export function map(surface: KeylessSurface, version: Version): Work {
  return async (call) => {
    const body = await bodyOf(call)
    const url = textOf(body, "url")
    const limit = countOf(body, "limit", mostLinks, mostLinks)
    const { listed, linked } = sourcesOf(body)
    const links: Link[] = []
    let failed: Item | undefined
    if (listed) {
      const input = { url, maxUrls: limit }
      const asked = { slug: "sitemap-extractor", input, mostItems: limit, alias }
      const items = await runNow(surface, call, asked)
      failed = items.find((item) => errorOf(item))
      for (const item of items) if (!errorOf(item)) links.push({ url: String(item.url) })
    }
    if (linked && links.length < limit) {
      const input = { urls: [url], formats: ["links"], mainContentOnly: false }
      const [page] = await runNow(surface, call, {
        slug: pageSlug,
        input,
        alias: { field: "urls", parameter: "url" },
      })
      if (errorOf(page)) failed = page
      else for (const { url, text } of linksOf(page)) links.push({ url, title: text })
    }
    const error = errorOf(failed)
    if (links.length === 0 && error) throw failureOf(error)
    const found = chosen(links, url, body).slice(0, limit)
    return { success: true, links: version === "v1" ? found.map((link) => link.url) : found }
  }
}

/** v1 says it by two flags. */
function sourcesOf({ sitemap = "include", sitemapOnly, ignoreSitemap }: Json) {
  return {
    listed: sitemap !== "skip" && ignoreSitemap !== true,
    linked: sitemap !== "only" && sitemapOnly !== true,
  }
}

const linksOf = (page: Item | undefined) => (page?.links ?? []) as { url: string; text: string }[]

/** Each once, of the site alone; where words are searched for, those that hold most of them first. */
function chosen(links: Link[], start: string, body: Json): Link[] {
  const site = hostOf(/^https?:/i.test(start) ? start : `https://${start}`)
  const subdomains = body.includeSubdomains !== false
  const byUrl = new Map<string, Link>()
  for (const { url, title } of links) {
    const host = hostOf(url)
    const isOwn = host === site || (subdomains && host.endsWith(`.${site}`))
    const address = body.ignoreQueryParameters === true ? url.replace(/[?#].*$/s, "") : url
    if (!isOwn) continue
    const known = byUrl.get(address)
    byUrl.set(address, { url: address, ...known, ...(title && { title }) })
  }
  const all = [...byUrl.values()]
  if (typeof body.search !== "string" || body.search.trim() === "") return all
  const words = body.search.toLowerCase().trim().split(/\s+/)
  const rank = ({ url, title = "" }: Link) => {
    const text = `${url} ${title}`.toLowerCase()
    return words.filter((word) => text.includes(word)).length
  }
  const ranked = all.map((link) => ({ link, rank: rank(link) }))
  return ranked
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ link }) => link)
}

const hostOf = (url: string) => (URL.parse(url)?.hostname ?? "").replace(/^www\./, "")
