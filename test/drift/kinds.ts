import { type Exchange, exchangeBody, type ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { loadScraper } from "../corpus-run.ts"
import { isLost, markersOf, type Played, play, renamed, requiredFields } from "./drifted.ts"

/** Changes that sites make, which break readers. */
export const driftKinds = [
  "renamed key",
  "moved class",
  "emptied list",
  "sign-in page",
  "other currency",
  "other version",
] as const
export type DriftKind = (typeof driftKinds)[number]

const textual = /json|html|xml|text|javascript/i

function typeOf({ headers = {} }: Exchange): string {
  return String(headers["content-type"] ?? headers["Content-Type"] ?? "text/html")
}

function textOf(recorded: ReplayCase, exchange: Exchange): string | null {
  const isText = textual.test(typeOf(exchange)) && exchange.status > 0 && exchange.status < 300
  return isText ? new TextDecoder().decode(exchangeBody(recorded.folder, exchange)) : null
}

/** Returns the case with each text changed; undefined if no text changes. */
function changed(
  recorded: ReplayCase,
  change: (text: string, exchange: Exchange) => string | null,
): ReplayCase | undefined {
  let count = 0
  const exchanges = recorded.exchanges.map((exchange) => {
    const text = textOf(recorded, exchange)
    const other = text === null ? null : change(text, exchange)
    if (other === null || other === text) return exchange
    count++
    return { ...exchange, bytes: new TextEncoder().encode(other) }
  })
  return count > 0 ? { ...recorded, exchanges } : undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Empties every list of objects, and sets every count to zero. */
function withoutContent(value: unknown): unknown {
  if (Array.isArray(value)) return value.some(isObject) ? [] : value
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withoutContent(inner)]),
  )
}

/** Uses the names of another version: `created_at` for `createdAt`, and vice versa. */
function renamedAll(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renamedAll)
  if (!isObject(value)) return value
  const named = (name: string) =>
    /[a-z][A-Z]/.test(name)
      ? name.replace(/([a-z])([A-Z])/g, (_, a, b) => `${a}_${b.toLowerCase()}`)
      : `${name}V2`
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [named(key), renamedAll(inner)]),
  )
}

const scriptJson =
  /(<script\b[^>]*\btype=["']?application\/(?:ld\+)?json["']?[^>]*>)([\s\S]*?)(<\/script>)/gi

/** Changes all JSON: bodies, and the data of a page's scripts. */
function ofJson(text: string, change: (value: unknown) => unknown): string | null {
  const value = jsonOf(text)
  if (value !== undefined) return JSON.stringify(change(value))
  const other = text.replace(scriptJson, (whole, open, json, close) => {
    const inner = jsonOf(json)
    return inner === undefined ? whole : `${open}${JSON.stringify(change(inner))}${close}`
  })
  return other === text ? null : other
}

const signInPage = (
  host: string,
) => `<!doctype html><html><head><title>Sign in - ${host}</title></head>
<body><header><a href="/">Home</a><a href="/help">Help</a></header><main><h1>Sign in</h1>
<form action="/session" method="post"><label>Email <input type="email" name="email"></label>
<label>Password <input type="password" name="password"></label><button>Sign in</button></form>
</main><footer><a href="/terms">Terms</a><a href="/privacy">Privacy</a></footer></body></html>`

function bySignIn(recorded: ReplayCase): ReplayCase {
  const exchanges = recorded.exchanges.map(({ body: _body, ...exchange }): Exchange => {
    if (!/^https?:/.test(exchange.url)) return exchange
    const bytes = new TextEncoder().encode(signInPage(new URL(exchange.url).host))
    return { ...exchange, status: 200, headers: { "content-type": "text/html" }, bytes }
  })
  return { ...recorded, exchanges }
}

const moneyFields = ["currency", "vsCurrency", "quoteCurrency", "unit"]

/**
 * Returns whether a drift changed what callers rely on: an item or a field is lost, or prices are
 * in another currency.
 */
function isHarm(kind: DriftKind, before: Played, now: Played, fields: readonly string[]): boolean {
  if (now.good.length * 2 < before.good.length) return true
  const money = ({ good }: Played) => good.map((item) => moneyFields.map((name) => item[name]))
  if (kind === "other currency") return !Bun.deepEquals(money(before), money(now))
  return fields.some((field) => isLost(now, before, field))
}

const changes: Record<Exclude<DriftKind, "renamed key" | "moved class">, Change> = {
  "emptied list": (recorded) => changed(recorded, (text) => ofJson(text, withoutContent)),
  "sign-in page": bySignIn,
  "other currency": (recorded) =>
    changed(recorded, (text) =>
      text.replace(/\bUSD\b/g, "CAD").replace(/(?<![A-Z])(?:US )?\$(?=\d)/g, "C$"),
    ),
  "other version": (recorded) => changed(recorded, (text) => ofJson(text, renamedAll)),
}
type Change = (recorded: ReplayCase) => ReplayCase | undefined

function* candidates(kind: DriftKind, recorded: ReplayCase, before: Played, fields: string[]) {
  if (kind !== "renamed key" && kind !== "moved class") {
    const other = changes[kind](recorded)
    if (other) yield other
    return
  }
  const wanted = kind === "renamed key" ? "key" : "attribute"
  const values = fields.map((field) => before.good[0]?.[field])
  const markers = values.flatMap((value) => markersOf(recorded, value))
  const maxTried = 12
  for (const marker of markers.filter(({ kind }) => kind === wanted).slice(0, maxTried)) {
    yield renamed(recorded, marker)
  }
}

/**
 * Returns the result of a case after a drift of a kind that breaks it; undefined if there is none:
 * there is another source, or nothing of that kind.
 */
export async function playDrifted(
  kind: DriftKind,
  recorded: ReplayCase,
  before: Played,
): Promise<Played | undefined> {
  const scraper = (await loadScraper(recorded.slug))!
  const fields = requiredFields(scraper, before)
  for (const other of candidates(kind, recorded, before, fields)) {
    const now = await play(other)
    if (isHarm(kind, before, now, fields)) return now
  }
  return undefined
}
