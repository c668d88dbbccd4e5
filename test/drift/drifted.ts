import { type AnyScraper, readExpectation } from "../../src/catalogue/kit/index.ts"
import { type Exchange, exchangeBody, type ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { acceptsAnyHost } from "../../src/engine/ops/health/codes.ts"
import type { TargetEnd } from "../../src/engine/ops/health/counters.ts"
import {
  CallCounters,
  type Counters,
  type CountsByMethod,
  fieldsOf,
  hasContent,
} from "../../src/engine/ops/health/counters.ts"
import { unmet } from "../../src/engine/ops/health/expectations.ts"
import { evaluateProbe } from "../../src/engine/ops/health/judge-probe.ts"
import { Traffic } from "../../src/engine/ops/health/traffic.ts"
import { isErrorItem } from "../../src/engine/runtime/run/checkpoints.ts"
import { after, type Finding, unheardOf } from "../../src/store/health/verdicts.ts"
import { loadScraper, replay } from "../corpus-run.ts"

type Item = Record<string, unknown>

/** The items of a case, and its counters. */
export interface Played {
  items: Item[]
  good: Item[]
  counted: CountsByMethod
  ends: TargetEnd[]
}

export async function play(recorded: ReplayCase): Promise<Played> {
  const scraper = (await loadScraper(recorded.slug))!
  const counting = new CallCounters()
  const ends: TargetEnd[] = []
  const counter = counting.of(scraper)
  const counts: Counters = {
    of: () => ({
      item: (item, fetchMethod) => counter.item(item, fetchMethod),
      target(end) {
        ends.push({ ...end })
        counter.target(end)
      },
    }),
  }
  const { items } = await replay(recorded, { counts })
  const good = items.filter((item) => !isErrorItem(item))
  return { items, good, counted: counting.take()[recorded.slug] ?? {}, ends }
}

const hourMs = 3_600_000
/** Number of runs of each case, before and after: users have many runs. */
const calls = 40

/**
 * Returns the counters of users' runs that repeat this request, first with the old site and then
 * with the changed one.
 */
export function verdictOfTraffic(scraper: AnyScraper, before: Played, now: Played): Finding {
  const { slug } = scraper
  let at = Date.parse("2026-11-20T00:00:00Z")
  const traffic = new Traffic(
    () => scraper,
    () => at,
  )
  let standing = unheardOf
  const called = (played: Played) => {
    for (let call = 0; call < calls; call++) traffic.add({ [slug]: played.counted })
    for (const { whole } of traffic.evaluate()) standing = after(standing, whole, "traffic")
  }
  called(before)
  at += 2 * hourMs
  called(now)
  called(now)
  return standing.finding
}

/** Returns the verdict of a health probe with the same input, after checks that found no change. */
export function verdictOfProbe(scraper: AnyScraper, before: Played, now: Played): Finding {
  const usual = sharesOf(scraper, before.good)
  const { good, ends } = now
  const run = {
    items: good,
    shares: sharesOf(scraper, good),
    targets: ends,
    stopped: null,
    now: 0,
    missing: [],
  }
  // Fields of its own lines, as far as they apply to this request.
  const lines = ["items.length gte 1", ...(scraper.probe?.expect ?? [])]
    .map(readExpectation)
    .filter((line) => typeof line !== "string")
    .filter((line) => line.gone || unmet(before.good, [line], 0).length === 0)
  const found = evaluateProbe(run, lines, usual)
  return after(after(unheardOf, found, "probe"), found, "probe").finding
}

/** Pages that users choose say nothing about a scraper, so its health probe decides. */
export function verdictOf(scraper: AnyScraper, before: Played, now: Played): Finding {
  const judge = acceptsAnyHost(scraper) ? verdictOfProbe : verdictOfTraffic
  return judge(scraper, before, now)
}

function sharesOf(scraper: AnyScraper, items: Item[]): Record<string, number> {
  const share = (name: string) =>
    items.filter((item) => hasContent(item[name])).length / Math.max(1, items.length)
  const shares = fieldsOf(scraper.item).map((name) => [name, share(name)] as const)
  return Object.fromEntries(shares.filter(([, part]) => part >= 0.3))
}

/** Returns the fields that are filled in every item: callers rely on them. */
export function requiredFields(scraper: AnyScraper, { good }: Played): string[] {
  if (good.length === 0) return []
  return fieldsOf(scraper.item).filter((name) => good.every((item) => hasContent(item[name])))
}

/** A name in a body that identifies a value: a JSON key, an attribute's name, an element. */
export interface Marker {
  kind: "key" | "attribute" | "element"
  name: string
}

const textual = /json|html|xml|text|javascript/i
const bodies = new WeakMap<Exchange, string>()

function textOf(recorded: ReplayCase, exchange: Exchange): string {
  const known = bodies.get(exchange)
  if (known !== undefined) return known
  const { headers = {} } = exchange
  const type = String(headers["content-type"] ?? headers["Content-Type"] ?? "text/html")
  const isText = textual.test(type) && exchange.status < 300
  const text = isText ? new TextDecoder().decode(exchangeBody(recorded.folder, exchange)) : ""
  bodies.set(exchange, text)
  return text
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")
/** Longer values are identified by their start. */
const maxValue = 40

/** Returns the forms in which a body may contain a value. */
function forms(value: unknown): string[] {
  const plain = typeof value === "string" || typeof value === "number" ? [String(value)] : []
  if (Array.isArray(value)) return value.slice(0, 1).flatMap(forms)
  if (typeof value === "object" && value !== null)
    return Object.values(value).flatMap(forms).slice(0, 3)
  return plain
    .map((text) => text.slice(0, maxValue).trim())
    .filter((text) => text.length > 0)
    .flatMap((text) => {
      const json = JSON.stringify(text).slice(1, -1)
      const html = text.replaceAll("&", "&amp;")
      const slashed = json.replaceAll("/", "\\/")
      return [...new Set([text, json, slashed, html])]
    })
}

const lastClass = (html: string) => [...html.matchAll(/\bclass="([^"]+)"/g)].at(-1)?.[1]

/** Returns the names right before a value in the bodies of a case. */
export function markersOf(recorded: ReplayCase, value: unknown): Marker[] {
  const found = new Map<string, Marker>()
  const note = (kind: Marker["kind"], name: string | undefined) => {
    if (name && found.size < 20) found.set(`${kind} ${name}`, { kind, name })
  }
  for (const exchange of recorded.exchanges) {
    const text = textOf(recorded, exchange)
    if (text === "") continue
    for (const form of forms(value)) {
      const is = escaped(form)
      for (const [, name] of text.matchAll(
        // JSON may be a string within JSON.
        new RegExp(String.raw`"([A-Za-z_@$][\w@$:.-]*)\\*"\s*:\s*(?:\[\s*)?(?:\\*")?${is}`, "g"),
      )) {
        note("key", name)
      }
      const tag = String.raw`<([a-zA-Z][\w:-]*)((?:\s[^<>]*)?)>\s*(?:<!\[CDATA\[)?\s*${is}`
      for (const { 1: element, 2: attributes = "", index } of text.matchAll(new RegExp(tag, "g"))) {
        const own = [...attributes.matchAll(/\b(?:class|itemprop|id|data-[\w-]+)="([^"]+)"/g)]
        for (const [, name] of own) note("attribute", name)
        if (own.length > 0) continue
        if (/xml|rss|atom/.test(text.slice(0, 300))) note("element", element)
        else note("attribute", lastClass(text.slice(Math.max(0, index - 400), index)))
      }
      const held = String.raw`<[a-zA-Z][^<>]*\b(?:property|name|itemprop|class|id)="([^"]+)"[^<>]*="${is}`
      for (const [, name] of text.matchAll(new RegExp(held, "g"))) note("attribute", name)
    }
  }
  return [...found.values()]
}

/** Returns the case with one name changed everywhere, as a new build of a site does. */
export function renamed(recorded: ReplayCase, { kind, name }: Marker): ReplayCase {
  const is = escaped(name)
  const change: Record<Marker["kind"], (text: string) => string> = {
    key: (text) =>
      text.replace(
        new RegExp(String.raw`"${is}(\\*"\s*:)`, "g"),
        `"zz_${name.replaceAll("$", "$$$$")}$1`,
      ),
    attribute: (text) =>
      text.replace(
        new RegExp(`\\b(class|itemprop|id|property|name|data-[\\w-]+)="${is}"`, "g"),
        (_, attribute) => `${attribute}="zz-${name.replaceAll(" ", " zz-")}"`,
      ),
    element: (text) => text.replace(new RegExp(`<(/?)${is}(?=[\\s>/])`, "g"), `<$1zz${name}`),
  }
  const exchanges = recorded.exchanges.map((exchange) => {
    const text = textOf(recorded, exchange)
    const changed = text === "" ? text : change[kind](text)
    return changed === text ? exchange : { ...exchange, bytes: new TextEncoder().encode(changed) }
  })
  return { ...recorded, exchanges }
}

export interface Drift {
  slug: string
  case: string
  field: string
  marker: Marker
  /** `found` by a bad verdict that names what is lost, `noticed` by one that does not. */
  outcome: "found" | "noticed" | "missed"
  verdict: Finding
}

/** Returns whether less than half is left: of the items, or of those that have the field. */
export function isLost(now: Played, before: Played, field: string): boolean {
  const filledItems = ({ good }: Played) => good.filter((item) => hasContent(item[field])).length
  return filledItems(now) * 2 < filledItems(before)
}

/**
 * Renames the source of one required field of a case, and judges the result; undefined if it has no
 * source whose change loses the field (there is another source, or the value is computed).
 */
export async function seedDrift(
  recorded: ReplayCase,
  before: Played,
  field: string,
): Promise<Drift | undefined> {
  const scraper = (await loadScraper(recorded.slug))!
  for (const marker of markersOf(recorded, before.good[0]?.[field])) {
    const now = await play(renamed(recorded, marker))
    if (!isLost(now, before, field)) continue
    const verdict = verdictOf(scraper, before, now)
    const isBad = ["degraded", "broken", "blocked"].includes(verdict.verdict)
    // If a name is the source of several fields, any lost one of them counts.
    const names = verdict.fields.some((name) => isLost(now, before, name))
    const outcome = !isBad ? "missed" : names ? "found" : "noticed"
    return { slug: recorded.slug, case: recorded.case, field, marker, outcome, verdict }
  }
  return undefined
}
