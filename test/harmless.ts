import { type Exchange, exchangeBody, type ReplayCase } from "../src/engine/fetch/replay/case.ts"
import { type ReplayResult, replay } from "./corpus-run.ts"
import { endOf } from "./ends.ts"
import { addresses } from "./harmless/addresses.ts"
import { data } from "./harmless/linked-data.ts"
import { markup } from "./harmless/markup.ts"

type Sent = { headers: Exchange["headers"]; bytes: Uint8Array }

const isType = (name: string) => name.toLowerCase() === "content-type"

/** Changes to how a page is sent. */
const sending = {
  "names of headers in capitals": ({ headers, bytes }: Sent): Sent => ({
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    ),
    bytes,
  }),
  "charset in quotes": ({ headers, bytes }: Sent): Sent => ({
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) =>
        isType(name) && /charset=utf-8/i.test(String(value))
          ? ["Content-Type", 'Text/HTML;Charset="UTF-8"; version=1']
          : [name, value],
      ),
    ),
    bytes,
  }),
  "mark of byte order": ({ headers, bytes }: Sent): Sent => ({
    headers,
    bytes: new Uint8Array([0xef, 0xbb, 0xbf, ...bytes]),
  }),
} as const

const pages = { ...markup, ...data, ...addresses }
const isOfSending = (change: Change): change is keyof typeof sending => change in sending

/** Changes that any reasonable reader of a page ignores, by name. */
export type Change = keyof typeof pages | keyof typeof sending
const changes = [...Object.keys(pages), ...Object.keys(sending)] as Change[]

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Returns true for a page of the site itself, not one of its bot protection. */
function pageOf({ folder }: ReplayCase, exchange: Exchange): string | undefined {
  const type = Object.entries(exchange.headers ?? {}).find(([name]) => isType(name))?.[1]
  if (!/\bhtml/i.test(String(type)) || exchange.status >= 300) return undefined
  try {
    const page = utf8.decode(exchangeBody(folder, exchange))
    return /^\s*<(?!\?xml)/.test(page) ? page : undefined
  } catch {
    // Another charset.
    return undefined
  }
}

/** Returns the case with one change in all its pages; undefined if the change applies to none. */
export function changed(recorded: ReplayCase, change: Change): ReplayCase | undefined {
  const encoder = new TextEncoder()
  let isSame = true
  const exchanges = recorded.exchanges.map((exchange) => {
    const page = pageOf(recorded, exchange)
    if (page === undefined) return exchange
    const text = isOfSending(change)
      ? page
      : pages[change](page, new URL(exchange.url, "https://x.example"))
    if (text === page && !isOfSending(change)) return exchange
    isSame = false
    const sent = { headers: exchange.headers, bytes: encoder.encode(text) }
    return { ...exchange, ...(isOfSending(change) ? sending[change](sent) : sent) }
  })
  return isSame ? undefined : { ...recorded, exchanges }
}

/** Fields that describe the markup itself, or the time that the run took. */
const ofMarkup = /(?:[hH]tml|[bB]ytes|[hH]ash|Ratio|Ms)$|^(?:inline\w+|contentLength|evidence)$/
const time = /\d{4}-\d\d-\d\dT[\d:.]+Z/g
const anHourMs = 3_600_000

/** Returns a result without these fields and with line breaks in texts unified. */
function stated(value: unknown, started: number): unknown {
  if (typeof value === "string") {
    const isNow = (at: string) => Math.abs(Date.parse(at) - started) < anHourMs
    const text = value.replace(/\s+/g, " ").trim()
    return text.replace(time, (at) => (isNow(at) ? "now" : at))
  }
  if (Array.isArray(value)) return value.map((one) => stated(one, started))
  if (typeof value !== "object" || value === null) return value
  const reported = Object.entries(value).filter(([key]) => !ofMarkup.test(key))
  return Object.fromEntries(reported.map(([key, one]) => [key, stated(one, started)]))
}

/** Returns the first position at which two results differ, with both values. */
function difference(before: unknown, after: unknown, path = ""): string | undefined {
  if (Bun.deepEquals(before, after)) return undefined
  const isTree = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null
  if (isTree(before) && isTree(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const found = difference(before[key], after[key], path ? `${path}.${key}` : key)
      if (found) return found
    }
  }
  const brief = (value: unknown) => (JSON.stringify(value) ?? "nothing").slice(0, 120)
  return `${path} was ${brief(before)}, is ${brief(after)}`
}

/** Changes after which a scraper may return other items, or is known to. */
const exceptions: { because: string; slugs: string[]; changes: readonly Change[] }[] = [
  {
    because: "what is a page's content, and who wrote it, is weighed by all of its markup",
    slugs: [
      ...["article-extractor", "docs-crawler-scraper", "llms-txt-generator"],
      ...["readability-batch-scraper", "url-to-markdown-scraper", "website-content-crawler"],
    ],
    changes: [
      ...(["advertisements", "comments in texts", "divs in items", "empty items"] as const),
      ...(["more classes", "more scripts", "no end tags of items", "spans around texts"] as const),
    ],
  },
  {
    because: "Mozilla's reader takes structured data as it is written",
    slugs: ["readability-batch-scraper"],
    changes: Object.keys(data) as Change[],
  },
  {
    because: "it shows structured data as it is written",
    slugs: ["schema-org-scraper", "url-to-markdown-scraper"],
    changes: [...(Object.keys(data) as Change[]), "space between blocks"],
  },
  {
    because: "it reports which data a page has, and its errors",
    slugs: ["faq-extractor-scraper", "meta-tags-scraper", "seo-page-analyzer"],
    changes: ["broken data before", "unrelated data before"],
  },
  {
    because: "it shows tags as they are written, or what its caller's selectors find",
    slugs: ["meta-tags-scraper", "web-scraper"],
    changes: ["names instead of properties", "properties instead of names"],
  },
  {
    because: "some of its rules know the letters in which today's pages are written",
    slugs: ["tech-stack-detector", "company-enrichment-scraper"],
    changes: ["addresses without a host", "capitals", "references", "spans around texts"],
  },
  {
    because: "the classes of TikTok's puzzle are its data",
    slugs: ["tiktok-profile-scraper", "tiktok-video-scraper"],
    changes: ["more classes"],
  },
  {
    because: "variants come in the order of their keys",
    slugs: ["walmart-product-scraper"],
    changes: ["data's keys reversed"],
  },
]

const isKnown = (slug: string, change: Change) =>
  exceptions.some((one) => one.slugs.includes(slug) && one.changes.includes(change))

/** Returns the case changed in each of some ways that apply to its pages. */
function* changedCases(
  recorded: ReplayCase,
  wanted: readonly Change[],
): Generator<[Change, ReplayCase]> {
  for (const change of wanted) {
    const other = isKnown(recorded.slug, change) ? undefined : changed(recorded, change)
    if (other) yield [change, other]
  }
}

/** Returns all changes, in a different order for each case. */
function changesFor({ slug, case: name }: ReplayCase): Change[] {
  const start = Number(Bun.hash(`${slug}/${name}`) % BigInt(changes.length))
  return [...changes.slice(start), ...changes.slice(0, start)]
}

/**
 * Returns how harmless changes of its pages change a case's items; undefined if they do not. Tries the first
 * changes that apply to its pages.
 */
export async function harmed(
  recorded: ReplayCase,
  {
    wanted = changesFor(recorded),
    most = Number.POSITIVE_INFINITY,
  }: { wanted?: readonly Change[]; most?: number } = {},
): Promise<string | undefined> {
  const started = Date.parse(recorded.clock ?? "") || Date.now()
  const outcome = ({ items, error }: ReplayResult) => stated({ items, error }, started)
  const found: string[] = []
  for (const [change, other] of changedCases(recorded, wanted).take(most)) {
    const harm = difference(outcome(await endOf(recorded)), outcome(await replay(other)))
    if (harm) found.push(`${change}: ${harm}`)
  }
  return found.join("\n    ") || undefined
}
