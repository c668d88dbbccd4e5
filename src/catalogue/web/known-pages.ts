import { type Context, isHtml, type UpstreamResponse } from "../kit/index.ts"

/** Status of a page that has not changed since it was read. */
export const notModified = 304

/** Links of a page that are kept, so that the crawl continues behind a page that is not read again. */
const maxStoredLinks = 200
const maxStoredLength = 500

/** The validators of a response, by which its host recognizes an unchanged page. */
export interface Validators {
  etag: string | null
  modified: string | null
}

/** A page as an earlier crawl read it. */
export interface KnownPage extends Validators {
  /** Hash of its text; null without text. */
  hash: string | null
  /** Links within its site. */
  links: string[]
  readAt: string
}

/** A schedule and a recipe know their pages apart from other crawls of their account. */
async function keyOf(url: string, { memory }: Context): Promise<string> {
  const series = await memory.series()
  return `page ${url}${series === "" ? "" : ` ${series}`}`
}

export const knownPage = async (url: string, ctx: Context) =>
  ctx.memory.get<KnownPage>(await keyOf(url, ctx))

/** Stores a page that has not changed as it is, because those that were not used for long are dropped. */
export async function keepPage(url: string, page: KnownPage, ctx: Context): Promise<void> {
  await ctx.memory.set(await keyOf(url, ctx), page)
}

/** Whether a sitemap states that a page is not newer than when it was read. */
export function isKnownSince(lastmod: string | undefined, { readAt }: KnownPage): boolean {
  return Date.parse(lastmod ?? "") < Date.parse(readAt)
}

/** Headers that ask for a page only if it has changed. */
export function conditions(known: Validators | undefined): Record<string, string> {
  const { etag, modified } = known ?? {}
  return {
    ...(etag ? { "if-none-match": etag } : {}),
    ...(modified ? { "if-modified-since": modified } : {}),
  }
}

/** Returns the validators of a response. Those of a page that scripts have filled are not its content's. */
export function validatorsOf({ headers, via }: UpstreamResponse): Validators {
  const stated = (name: string) => (via === "browser" ? null : headers.get(name))
  return { etag: stated("etag"), modified: stated("last-modified") }
}

/** Keeps a page for the next crawl. Returns whether it says the same as when it was read before. */
export async function rememberPage(
  url: string,
  {
    response,
    links,
    hash,
  }: { response: UpstreamResponse; links: readonly string[]; hash: string | null },
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
