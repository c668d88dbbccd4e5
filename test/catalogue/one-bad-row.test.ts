import { describe, expect, test } from "bun:test"
import {
  type Exchange,
  exchangeBody,
  type ReplayCase,
  readCase,
} from "../../src/engine/fetch/replay/case.ts"
import { isErrorItem } from "../../src/engine/runtime/run/checkpoints.ts"
import { ownCases, replay } from "../corpus-run.ts"

type Path = readonly (string | number)[]

/** Values that a site must not return in these fields. */
const oddValues = [null, "odd", { odd: 1 }, []]

/** An own case, a value to replace in its recorded JSON, and how many items may be lost. */
const rows: [slug: string, recorded: string, path: Path, lost: number][] = [
  ["sec-company-facts-scraper", "all-concepts", assets("USD", 0, "end"), 1],
  ["sec-company-facts-scraper", "all-concepts", assets("USD", 0, "accn"), 1],
  ["sec-company-facts-scraper", "all-concepts", assets("EUR", 0, "end"), 1],
  ["sec-company-facts-scraper", "all-concepts", assets("EUR", 0), 1],
  ["email-finder-scraper", "toolmaker-with-names", [0], 0],
  ["email-finder-scraper", "toolmaker-with-names", [0, "exchange"], 0],
  ["stock-price-history-scraper", "events-gaps-and-twins", chart("events", "dividends", "a"), 0],
  ["stock-price-history-scraper", "events-gaps-and-twins", chart("events", "splits", "c"), 0],
  ["stock-price-history-scraper", "events-gaps-and-twins", chart("timestamp", 0), 1],
  ["whois-rdap-scraper", "registrant-by-name", ["services", 0, 1, 0], 0],
  ["whois-rdap-scraper", "registrant-by-name", ["entities", 0, "vcardArray", 1, 0], 0],
  // Replies are lost with the list that names them.
  ["reddit-comments-scraper", "app-keys-at-last", [1, "data", "children", 0, "data", "replies"], 4],
]

/** An own case, and the element to remove from its recorded page. */
const elements: [slug: string, recorded: string, selector: string][] = [
  ["finviz-screener-scraper", "two-pages", "tr.styled-row td"],
  ["github-trending-scraper", "weekly-rust", "article.Box-row h2 a"],
  ["capterra-reviews-scraper", "two-pages", "h3"],
  ["telegram-channel-scraper", "two-pages-and-a-user", "time[datetime]"],
  ["pubmed-scraper", "named-in-order-and-dead", "MedlineCitation"],
  ["arxiv-scraper", "later-page-fails", "entry title"],
  ["weworkremotely-jobs-scraper", "feed-and-pages", "item title"],
  ["craigslist-search-scraper", "more-than-a-page", "li.cl-static-search-result a"],
]

function assets(...path: Path): Path {
  return ["facts", "us-gaap", "Assets", "units", ...path]
}

function chart(...path: Path): Path {
  return ["chart", "result", 0, ...path]
}

describe("one bad row costs no other", () => {
  test.each(rows)("%s, %s: %j", async (slug, name, path, lost) => {
    for (const odd of oddValues)
      await expectLoss(slug, name, lost, (body) => replaced(body, path, odd))
  })

  test.each(elements)("%s, %s: %s", async (slug, name, selector) => {
    await expectLoss(slug, name, 1, (body) => without(body, selector))
  })
})

/**
 * Expects at most the given number of items fewer after a change to the first response that it
 * fits.
 */
async function expectLoss(
  slug: string,
  name: string,
  lost: number,
  change: (body: Uint8Array) => Uint8Array | null,
) {
  const recorded = readCase(`${ownCases}/${slug}/${name}`)
  let isChanged = false
  const exchanges = recorded.exchanges.map((exchange): Exchange => {
    const changed = isChanged ? null : change(exchangeBody(recorded.folder, exchange))
    if (!changed) return exchange
    isChanged = true
    const { body: _, ...rest } = exchange
    return { ...rest, bytes: changed }
  })
  expect(isChanged).toBe(true)
  const before = await goodItems(recorded)
  const now = await goodItems({ ...recorded, exchanges })
  expect(now.length).toBeGreaterThanOrEqual(before.length - lost)
}

async function goodItems(recorded: ReplayCase) {
  return (await replay(recorded)).items.filter((item) => !isErrorItem(item))
}

/** Returns a page without its first such element; null if it has none. */
function without(body: Uint8Array, selector: string): Uint8Array | null {
  let isRemoved = false
  const page = new HTMLRewriter()
    .on(selector, {
      element(element) {
        if (!isRemoved) element.remove()
        isRemoved = true
      },
    })
    .transform(new TextDecoder().decode(body))
  return isRemoved ? new TextEncoder().encode(page) : null
}

/** Returns a JSON body with another value at a path; null if the path does not exist. */
function replaced(body: Uint8Array, path: Path, value: unknown): Uint8Array | null {
  try {
    const json = JSON.parse(new TextDecoder().decode(body))
    const parent = path.slice(0, -1).reduce((above, key) => above[key], json)
    const key = path.at(-1)!
    if (parent?.[key] === undefined) return null
    parent[key] = value
    return new TextEncoder().encode(JSON.stringify(json))
  } catch {
    return null
  }
}
