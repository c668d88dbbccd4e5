import type { Context, UpstreamResponse } from "../../kit/index.ts"
import { isHtml } from "../page/readable.ts"

/** Status of a page that has not changed since it was read. */
export const notModified = 304

/** Maximum stored links of a page. They are followed if the page is not read again. */
const maxStoredLinks = 200
const maxStoredLength = 500

/** The validators of a response, by which its host recognises an unchanged page. */
export interface Validators {
  etag: string | null
  modified: string | null
}

/** A page as an earlier crawl read it. */
export interface KnownPage extends Validators {
  /** Hash of the page's text; null without text. */
  hash: string | null
  /** Links within the page's site. */
  links: string[]
  readAt: string
}

/** A schedule and a recipe store their pages separately from the account's other crawls. */
async function keyOf(url: string, { memory }: Context): Promise<string> {
  const series = await memory.series()
  return `page ${url}${series === "" ? "" : ` ${series}`}`
}

export const knownPage = async (url: string, ctx: Context) =>
  ctx.memory.get<KnownPage>(await keyOf(url, ctx))

/** Stores an unchanged page again. Stored pages that are not used for a long time are deleted. */
export async function keepPage(url: string, page: KnownPage, ctx: Context): Promise<void> {
  await ctx.memory.set(await keyOf(url, ctx), page)
}

/** Returns whether a sitemap states that a page is not newer than the stored one. */
export function isKnownSince(lastmod: string | undefined, { readAt }: KnownPage): boolean {
  return Date.parse(lastmod ?? "") < Date.parse(readAt)
}

/** Returns the headers with which a host returns a page only if it has changed. */
export function conditions(known: Validators | undefined): Record<string, string> {
  const { etag, modified } = known ?? {}
  return {
    ...(etag ? { "if-none-match": etag } : {}),
    ...(modified ? { "if-modified-since": modified } : {}),
  }
}

/**
 * Returns the validators of a response. Those of a page that scripts filled do not describe its
 * content, so they are null.
 */
export function validatorsOf({ headers, via }: UpstreamResponse): Validators {
  const stated = (name: string) => (via === "browser" ? null : headers.get(name))
  return { etag: stated("etag"), modified: stated("last-modified") }
}

/** Stores a page for the next crawl. Returns whether its text is the same as in the stored page. */
export async function rememberPage(
  url: string,
  { response, links, hash }: Pick<KnownPage, "links" | "hash"> & { response: UpstreamResponse },
  ctx: Context,
): Promise<boolean> {
  const before = await knownPage(url, ctx)
  const page: KnownPage = {
    ...(isHtml(response) ? validatorsOf(response) : { etag: null, modified: null }),
    hash,
    links: links.filter((link) => link.length <= maxStoredLength).slice(0, maxStoredLinks),
    readAt: ctx.now().toISOString(),
  }
  await keepPage(url, page, ctx)
  return before !== undefined && hash !== null && before.hash === hash
}
