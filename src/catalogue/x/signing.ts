import { type Context, once, type UpstreamResponse } from "../kit/index.ts"
import { fileOf, homePage, responseOrNull, scriptsHost, scriptsOf } from "./scripts.ts"
import { readSigning, type Signing, transactionId } from "./transaction-id.ts"
import { xTable } from "./upstream.ts"

/** Milliseconds for which a page's values are reused. X's own pages stay open as long. */
const holdsMs = 3 * 3_600_000
/** Maximum scripts to read. The signing script is among a page's first, or loaded by one. */
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

/** Reads stored signing values that failed again, and returns whether this succeeded. */
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

/** Returns the signing script's URL from an older page's maps of its name and its hash. */
function mapped(page: UpstreamResponse, names: readonly string[]): string | null {
  const text = page.text()
  for (const [, number, name] of text.matchAll(/\b(\d{1,6}):"([a-z.]{3,40})"/g)) {
    if (!names.includes(name!)) continue
    const hash = new RegExp(`\\b${number}:"([0-9a-f]{7,32})"`).exec(text)?.[1]
    if (hash) return `${scriptsHost}responsive-web/client-web/${name}.${hash}a.js`
  }
  return null
}
