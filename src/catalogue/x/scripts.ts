import { assertScrapeError, type Context, once, type UpstreamResponse } from "../kit/index.ts"

export const scriptsHost = "https://abs.twimg.com/"
const maxScripts = 40
const maxScript = 8_000_000

/** Returns X's home page for these cookies, requested once per run; null if the request fails. */
export function homePage(cookies: Record<string, string>, ctx: Context) {
  const key = `x.home ${Object.keys(cookies).join()}`
  return once(ctx, key, () => responseOrNull("https://x.com/home", ctx, cookies))
}

/** Yields a page's scripts and those that they load; names with a wanted start come first. */
export async function* scriptsOf(
  visible: UpstreamResponse,
  ctx: Context,
  { wanted, maximum: max = maxScripts }: { wanted: readonly string[]; maximum?: number },
): AsyncGenerator<UpstreamResponse> {
  const waiting = linked(visible, /(?:https:)?\/\/abs\.twimg\.com\/[\w./-]+\.js/g)
  const known = new Set(waiting)
  for (let count = 0; waiting.length > 0 && count < max; count++) {
    const place = waiting.findIndex((url) => wanted.some((name) => fileOf(url).startsWith(name)))
    const script = await responseOrNull(waiting.splice(Math.max(0, place), 1)[0]!, ctx)
    if (!script) continue
    yield script
    for (const next of linked(script, /(?<=["'`])\.{1,2}\/[\w./-]+\.js(?=["'`])/g)) {
      if (known.has(next)) continue
      known.add(next)
      waiting.push(next)
    }
  }
}

export const fileOf = (url: string) => url.slice(url.lastIndexOf("/") + 1)

const linked = (response: UpstreamResponse, pattern: RegExp): string[] => {
  const urls = [...response.text().matchAll(pattern)].flatMap(
    ([link]) => URL.parse(link, response.url)?.href ?? [],
  )
  const isText = /\/(?:i18n|icons)\//
  return [...new Set(urls)].filter((url) => url.startsWith(scriptsHost) && !isText.test(url))
}

export async function responseOrNull(
  url: string,
  ctx: Context,
  cookies: Record<string, string> = {},
): Promise<UpstreamResponse | null> {
  try {
    const options = { identity: "browser" as const, maxBytes: maxScript, retries: 0 }
    return await ctx.get(url, { ...options, cookies })
  } catch (error) {
    assertScrapeError(error, ctx)
    return null
  }
}

/** Forms in which the site's scripts write a query. */
const queries = [
  /queryId:["`](?<id>[\w-]{10,40})["`],operationName:["`](?<name>\w{1,80})["`]/g,
  /params:\{id:["`](?<id>[\w-]{10,40})["`](?:,metadata:\{[^{}]{0,500}\})?[^{}]{0,2000}?name:["`](?<name>\w{1,80})["`]/g,
]
/** Name of the main script of a build. The others are many and small. */
const main = ["main."]

/** Returns the ID that the site's own scripts now have for a query; undefined if they have none. */
export async function idInBundle(operation: string, cookies: Record<string, string>, ctx: Context) {
  const ids = await once(ctx, `x.bundle ${Object.keys(cookies).join()}`, () => idsNow(cookies, ctx))
  return ids.get(operation)
}

async function idsNow(cookies: Record<string, string>, ctx: Context) {
  const ids = new Map<string, string>()
  const visible = await homePage(cookies, ctx)
  if (!visible) return ids
  for await (const script of scriptsOf(visible, ctx, { wanted: main })) {
    for (const query of queries) {
      for (const { groups } of script.text().matchAll(query)) ids.set(groups!.name!, groups!.id!)
    }
  }
  return ids
}
