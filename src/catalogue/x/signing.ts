import { assertScrapeError, type Context, once, type UpstreamResponse } from "../kit/index.ts"
import { readSigning, type Signing, transactionId } from "./transaction-id.ts"
import { xTable } from "./upstream.ts"

const scriptsHost = "https://abs.twimg.com/"
const defaultMaximum = 40
const maxScript = 8_000_000

/** Returns X's home page for these cookies, requested once per run; null if the request fails. */
function homePage(cookies: Record<string, string>, ctx: Context) {
  const key = `x.home ${Object.keys(cookies).join()}`
  return once(ctx, key, () => responseOrNull("https://x.com/home", ctx, cookies))
}

/** Yields a page's scripts and those that they load; names with a wanted start come first. */
async function* scriptsOf(
  visible: UpstreamResponse,
  ctx: Context,
  { wanted, maximum: max = defaultMaximum }: { wanted: readonly string[]; maximum?: number },
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

const fileOf = (url: string) => url.slice(url.lastIndexOf("/") + 1)

const linked = (response: UpstreamResponse, pattern: RegExp): string[] => {
  const urls = [...response.text().matchAll(pattern)].flatMap(
    ([link]) => URL.parse(link, response.url)?.href ?? [],
  )
  const isText = /\/(?:i18n|icons)\//
  return [...new Set(urls)].filter((url) => url.startsWith(scriptsHost) && !isText.test(url))
}

async function responseOrNull(
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

/**
 * Time for which the values of a page are reused, in milliseconds. X's own pages stay open as long.
 */
const holdsMs = 3 * 3_600_000
/**
 * Maximum number of scripts to read. The signing script is among the first scripts of a page, or
 * one of those loads it.
 */
const maxScripts = 12

/** Cookie session of a request. X returns another page to its members. */
export type ClientSession = { mode: "session" | "guest"; cookies: Record<string, string> }

interface Made {
  signing: Signing | null
  /** Whether the values come from an earlier run. */
  isStored: boolean
}

/**
 * Returns the ID by which X's own scripts sign a request. Returns undefined if the page and its
 * scripts do not reveal the algorithm; the request is then sent without an ID.
 */
export async function signatureOf(
  { method, url }: { method: string; url: string },
  session: ClientSession,
  ctx: Context,
): Promise<string | undefined> {
  const { signing } = await once(ctx, madeKey(session), () => storedOrMade(session, ctx))
  if (!signing) return undefined
  const { signKeyword, signMark } = ctx.upstream(xTable)
  return transactionId(signing, {
    method,
    path: new URL(url).pathname,
    at: ctx.now().getTime(),
    random: Math.floor(Math.random() * 256),
    keyword: signKeyword,
    mark: signMark,
  })
}

/**
 * Reads the signing values again if those of an earlier run failed, and returns whether this
 * succeeded.
 */
export async function renewSigning(session: ClientSession, ctx: Context): Promise<boolean> {
  const made = (await ctx.shared.get(madeKey(session))) as Made | undefined
  if (!made?.isStored) return false
  const renewed = make(session, ctx)
  ctx.shared.set(madeKey(session), renewed)
  return (await renewed).signing !== null
}

export async function signs(session: ClientSession, ctx: Context): Promise<boolean> {
  const made = (await ctx.shared.get(madeKey(session))) as Made | undefined
  return made?.signing != null
}

const madeKey = ({ mode }: ClientSession) => `x.signing ${mode}`
const memoryKey = ({ mode }: ClientSession) => `signing ${mode}`

async function storedOrMade(session: ClientSession, ctx: Context): Promise<Made> {
  const stored = await ctx.memory.get<{ at: number; signing: Signing }>(memoryKey(session))
  const holds = stored && ctx.now().getTime() - stored.at < holdsMs
  return holds ? { signing: stored.signing, isStored: true } : make(session, ctx)
}

async function make(session: ClientSession, ctx: Context): Promise<Made> {
  const page = await homePage(session.cookies, ctx)
  const signing = page && (await read(page, ctx))
  if (signing) await ctx.memory.set(memoryKey(session), { at: ctx.now().getTime(), signing })
  else ctx.log("X's page and its scripts do not reveal how to sign requests.")
  return { signing, isStored: false }
}

async function read(page: UpstreamResponse, ctx: Context): Promise<Signing | null> {
  const { signScripts, signImporters } = ctx.upstream(xTable)
  const named = mapped(page, signScripts)
  const script = named && (await responseOrNull(named, ctx))
  if (script) return readSigning(page.document, script.text())
  const wanted = [...signScripts, ...signImporters]
  for await (const script of scriptsOf(page, ctx, { wanted, maximum: maxScripts })) {
    if (!signScripts.some((name) => fileOf(script.url).startsWith(name))) continue
    return readSigning(page.document, script.text())
  }
  return null
}

/**
 * Returns the signing script's URL from two maps in a page of the older build: a script's name by
 * its number, and its hash.
 */
function mapped(page: UpstreamResponse, names: readonly string[]): string | null {
  const text = page.text()
  for (const [, number, name] of text.matchAll(/\b(\d{1,6}):"([a-z.]{3,40})"/g)) {
    if (!names.includes(name!)) continue
    const hash = new RegExp(`\\b${number}:"([0-9a-f]{7,32})"`).exec(text)?.[1]
    if (hash) return `${scriptsHost}responsive-web/client-web/${name}.${hash}a.js`
  }
  return null
}
