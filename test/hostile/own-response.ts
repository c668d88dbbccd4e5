import { scraperBySlug } from "../../src/catalogue/index.ts"
import { checkInput } from "../../src/catalogue/kit/index.ts"
import { exchangeBody, type ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../src/engine/fetch/replay/environment.ts"
import { measure, type Reading } from "./read-hostile.ts"

/** A recorded JSON response of a site from which its scraper reads items. */
export interface OwnResponse {
  recorded: ReplayCase
  /** Index of the exchange with the response. */
  index: number
  text: string
}

const largest = 200_000

/** Returns the largest JSON response of some cases that yields items; null if none is JSON. */
export async function ownResponse(cases: ReplayCase[]): Promise<OwnResponse | null> {
  const answers = cases.flatMap((recorded) => maxResponse(recorded) ?? [])
  answers.sort((a, b) => b.text.length - a.text.length)
  for (const response of answers) {
    const { items, error } = await readOwnResponse(response, response.text)
    if (!error && items.length > 0 && !items.some((item) => item.error)) return response
  }
  return null
}

function maxResponse(recorded: ReplayCase): OwnResponse | null {
  let best: OwnResponse | null = null
  for (const [index, exchange] of recorded.exchanges.entries()) {
    if (exchange.status >= 300 || (!exchange.body && !exchange.bytes)) continue
    const text = new TextDecoder().decode(exchangeBody(recorded.folder, exchange)).trim()
    if (!/^[{[]/.test(text) || text.length > largest || !isJson(text)) continue
    if (!best || text.length > best.text.length) best = { recorded, index, text }
  }
  return best
}

function isJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object"
  } catch {
    return false
  }
}

/** Runs the case with another text instead of its response. */
export function readOwnResponse({ recorded, index }: OwnResponse, text: string): Promise<Reading> {
  const scraper = scraperBySlug(recorded.slug)!
  const checked = checkInput(scraper.input, recorded.input)
  if (!checked.ok) throw new Error(`${recorded.slug}: ${JSON.stringify(checked.issues)}`)
  const bytes = new TextEncoder().encode(text)
  const exchanges = recorded.exchanges.map((exchange, at) =>
    at === index ? { ...exchange, bytes } : exchange,
  )
  return measure(scraper, checked.input, replayEnvironment({ ...recorded, exchanges }))
}

export type HostileResponse = (text: string, count: number) => string

/** Each turns a good response into a hostile one; a larger count makes a larger response. */
export const hostileAnswers: Record<string, HostileResponse> = {
  "lists in lists": (_, n) => "[".repeat(n) + "]".repeat(n),
  "open objects": (_, n) => '{"a":'.repeat(n),
  "deep values": (text, n) => {
    const deep = `${"[".repeat(n / 20)}${"]".repeat(n / 20)}`
    return replaced(text, () => `@@deep@@`, 10).replaceAll('"@@deep@@"', deep)
  },
  "many entries": (text, n) => withEntries(text, n),
  "many names": (text, n) => withNames(text, n),
  "no texts": (text) => replaced(text, () => 0),
  "no numbers": (text) => replaced(text, (value) => (typeof value === "number" ? "x" : value)),
  "objects for values": (text) => replaced(text, () => ({ a: { b: {} } })),
  "lists for values": (text) => replaced(text, () => [[], {}, null]),
  "nothing for values": (text) => replaced(text, () => null),
  "objects for lists": (text) => turned(text, (value) => ({ ...value })),
  "lists for objects": (text) => turned(text, (value) => Object.values(value)),
  "texts for lists": (text) => turned(text, (value) => (Array.isArray(value) ? "list" : value), 1),
}

/** Signs whose long runs are a reader's worst case. */
export const runs = [" ", "0", "0,", "(", "<", "/", "-", "a.", "@", ": ", "[", "A ", "|", "\n"]

/** Appends a run of signs to some texts of a response, evenly spread. */
export const withLongTexts = (text: string, run: string, length: number): string =>
  replaced(
    text,
    (value) =>
      typeof value === "string"
        ? `${value} ${run.repeat(Math.ceil(length / run.length))}\u0001`
        : value,
    40,
  )

/** Replaces the texts, numbers and flags of a response: all, or some, evenly spread. */
function replaced(text: string, by: (value: unknown) => unknown, most = Infinity): string {
  let leaves = 0
  JSON.parse(text, (_, value) => {
    if (isLeaf(value)) leaves++
    return value
  })
  const step = Math.max(1, leaves / most)
  let at = 0
  let next = 0
  return JSON.stringify(
    JSON.parse(text, (_, value) => {
      if (!isLeaf(value) || at++ < next) return value
      next += step
      return by(value)
    }),
  )
}

const isLeaf = (value: unknown) => typeof value !== "object" || value === null

type Composite = Record<string, unknown> | unknown[]

/** Replaces the objects and lists of a response, except the outermost ones. */
function turned(text: string, by: (value: Composite) => unknown, stored = 0): string {
  const turn = (value: unknown, depth: number): unknown => {
    if (isLeaf(value)) return value
    const inner = Array.isArray(value)
      ? value.map((one) => turn(one, depth + 1))
      : Object.fromEntries(
          Object.entries(value as object).map(([key, one]) => [key, turn(one, depth + 1)]),
        )
    return depth < stored ? inner : by(inner)
  }
  return JSON.stringify(turn(JSON.parse(text), 0))
}

/** Fills the longest list of objects with copies of its first, each with different texts. */
function withEntries(text: string, count: number): string {
  const root: unknown = JSON.parse(text)
  let longest: unknown[] = []
  const visit = (value: unknown): void => {
    if (isLeaf(value)) return
    if (Array.isArray(value) && value.length > longest.length && !isLeaf(value[0])) longest = value
    for (const one of Object.values(value as object)) visit(one)
  }
  visit(root)
  const first = JSON.stringify(longest[0] ?? {})
  const most = Math.min(count, 20_000_000 / first.length)
  for (let at = longest.length; at < most; at++) {
    longest.push(
      JSON.parse(first, (_, value) => (typeof value === "string" ? `${value}${at}` : value)),
    )
  }
  return JSON.stringify(root)
}

/** Adds many keys to the outermost object, or the first of a list. */
function withNames(text: string, count: number): string {
  const root = JSON.parse(text)
  const object = Array.isArray(root) ? (root[0] ?? {}) : root
  if (isLeaf(object)) return text
  for (let at = 0; at < count; at++) object[`name${at}`] = at
  return JSON.stringify(root)
}
