import { type Exchange, exchangeBody, type ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { acceptsAnyHost } from "../../src/engine/ops/health/codes.ts"
import { isErrorItem } from "../../src/engine/runtime/run/checkpoints.ts"
import { loadScraper, type ReplayResult, replay } from "../corpus-run.ts"
import { dataChanges, type Transformation } from "./json.ts"

type Item = Record<string, unknown>

/** Larger scripts and documents are not changed: they take too long. */
const largest = 400_000
const ofRuntime = /^(?:dns|tls):/
const utf8 = new TextDecoder("utf-8", { fatal: true })

function textOf(
  { folder }: ReplayCase,
  exchange: Exchange,
  readsPages: boolean,
): string | undefined {
  if (exchange.status >= 300 || ofRuntime.test(exchange.url)) return undefined
  const bytes = exchangeBody(folder, exchange)
  if (bytes.length > largest) return undefined
  try {
    const text = utf8.decode(bytes)
    return readsPages || !/^\s*<(?!\?xml|rss|feed|urlset)/i.test(text) ? text : undefined
  } catch {
    // Another charset, or not text.
    return undefined
  }
}

/** Returns the case with one change in all its responses; undefined if the change applies to none. */
async function changed(
  recorded: ReplayCase,
  { change }: Transformation,
): Promise<ReplayCase | undefined> {
  // The items of general page scrapers contain the source itself.
  const readsPages = !acceptsAnyHost((await loadScraper(recorded.slug))!)
  let isSame = true
  const exchanges = recorded.exchanges.map((exchange) => {
    const text = textOf(recorded, exchange, readsPages)
    const other = text === undefined ? null : change(text)
    if (other === null) return exchange
    isSame = false
    return { ...exchange, bytes: new TextEncoder().encode(other) }
  })
  return isSame ? undefined : { ...recorded, exchanges }
}

const isNothing = (value: unknown): boolean =>
  value === null ||
  value === false ||
  value === "" ||
  (typeof value === "object" && Object.values(value).every(isNothing))

/** Removes empty entries of lists, because a change may add such entries. */
function stated(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(stated).filter((one) => typeof one !== "object" || !isNothing(one))
  }
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, stated(one)]))
}

/** An additional entry may fill a page, and so cause a request for the next one. */
const beyondRecording = "No recording for"
const issues = /could not be read: |does not fit its schema/
const badText = /\bNaN\b|\bundefined\b|\[object Object\]|Invalid Date/

function errorsOf({ items, error }: ReplayResult): { message: string }[] {
  const reported = items.filter(isErrorItem).map((item) => item.error as { message: string })
  return error ? [...reported, error] : reported
}

const brief = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 160)

/** Returns how a change affected the items of a case, or undefined. */
function harm(whole: ReplayResult, now: ReplayResult, ofFirstRow: boolean): string | undefined {
  const reported = errorsOf(now)
  if (reported.some(({ message }) => message.startsWith(beyondRecording))) return undefined
  const issue = reported.find(({ message }) => issues.test(message))
  if (issue) return issue.message
  const before = whole.items.map(stated) as Item[]
  const after = now.items.map(stated) as Item[]
  const bad = JSON.stringify(after).match(badText)?.[0]
  if (bad && !JSON.stringify(before).includes(bad)) return `an item says ${bad}`
  if (ofFirstRow) return undefined
  const at = before.findIndex((item, index) => !Bun.deepEquals(item, after[index]))
  if (at < 0) {
    return after.length > before.length ? `one item more: ${brief(after.at(-1))}` : undefined
  }
  const item = after[at]
  if (!item) return `${before.length} items, ${after.length} are left`
  const field = Object.keys({ ...before[at], ...item }).find(
    (key) => !Bun.deepEquals(before[at]![key], item[key]),
  )!
  return `item ${at}: ${field} was ${brief(before[at]![field])}, is ${brief(item[field])}`
}

/**
 * Returns how harmless changes to its responses affect a case, for each of these changes; undefined
 * if they do not.
 */
export async function harmedData(
  recorded: ReplayCase,
  wanted: readonly Transformation[] = dataChanges,
  ended?: Promise<ReplayResult>,
): Promise<string | undefined> {
  const asRecorded = { ...recorded, clock: recorded.clock ?? "2026-11-20T00:00:00Z" }
  let whole: ReplayResult | undefined
  const found: string[] = []
  for (const one of wanted) {
    const other = isKnown(recorded.slug, one.name) ? undefined : await changed(asRecorded, one)
    if (!other) continue
    whole ??= await (ended ?? replay(asRecorded))
    const done = harm(whole, await replay(other), one.ofFirstRow === true)
    if (done) found.push(`${one.name}: ${done}`)
  }
  return found.join("\n      ") || undefined
}

/** Returns one of the changes that apply to a case, the same each time. */
export async function ownDataChange(recorded: ReplayCase): Promise<Transformation[]> {
  const at = Number(Bun.hash(`${recorded.slug}/${recorded.case}`) % BigInt(dataChanges.length))
  const turned = [...dataChanges.slice(at), ...dataChanges.slice(0, at)]
  for (const one of turned) {
    if (!isKnown(recorded.slug, one.name) && (await changed(recorded, one))) return [one]
  }
  return []
}

/** Scrapers that are right to return other items after a change. */
const exceptions: { slugs: string[]; changes: string[]; because: string }[] = [
  {
    slugs: ["greenhouse-jobs-scraper"],
    changes: ["unknown keys", "no keys of null"],
    because: "It hands on the rules on applicants' data as they are.",
  },
  {
    slugs: ["realtor-property-scraper"],
    changes: ["unknown keys"],
    because: "It hands on any flag of a home.",
  },
  {
    slugs: ["target-product-scraper"],
    changes: ["advertisements at the end of lists"],
    because: "It hands on a product's promotions as they are.",
  },
  {
    slugs: ["github-user-scraper"],
    changes: ["advertisements at the end of lists"],
    because: "It counts events of any type.",
  },
  {
    slugs: ["bitcoin-address-scraper"],
    changes: ["nothing at the end of lists"],
    because: "An input without a previous output is a coinbase.",
  },
]

const isKnown = (slug: string, name: string) =>
  exceptions.some(({ slugs, changes }) => slugs.includes(slug) && changes.includes(name))
