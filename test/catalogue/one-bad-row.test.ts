import { describe, expect, test } from "bun:test"
import { type Exchange, exchangeBody, readCase } from "../../src/engine/fetch/replay/case.ts"
import { isErrorItem } from "../../src/engine/runtime/run/checkpoints.ts"
import { ownCases, replay } from "../corpus-run.ts"

type Path = readonly (string | number)[]

/** Values that an upstream must not send there. */
const oddValues = [null, "odd", { odd: 1 }, []]

/** An own case, where in its recorded JSON a value is replaced, and how many items may be lost. */
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
  // Replies go with the list that names them.
  ["reddit-comments-scraper", "app-keys-at-last", [1, "data", "children", 0, "data", "replies"], 4],
]

function assets(...path: Path): Path {
  return ["facts", "us-gaap", "Assets", "units", ...path]
}

function chart(...path: Path): Path {
  return ["chart", "result", 0, ...path]
}

describe("one bad row costs no other", () => {
  test.each(rows)("%s, %s: %j", async (slug, name, path, lost) => {
    const recorded = readCase(`${ownCases}/${slug}/${name}`)
    const before = (await replay(recorded)).items.filter((item) => !isErrorItem(item))
    for (const odd of oddValues) {
      let isReplaced = false
      const exchanges = recorded.exchanges.map((exchange): Exchange => {
        const changed = replaced(exchangeBody(recorded.folder, exchange), path, odd)
        if (!changed || isReplaced) return exchange
        isReplaced = true
        const { body: _, ...rest } = exchange
        return { ...rest, bytes: changed }
      })
      expect(isReplaced).toBe(true)
      const { items } = await replay({ ...recorded, exchanges })
      const good = items.filter((item) => !isErrorItem(item))
      expect(good.length).toBeGreaterThanOrEqual(before.length - lost)
    }
  })
})

/** A JSON body with another value at a path; null if it has nothing there. */
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
