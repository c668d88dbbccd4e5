import type { Command } from "commander"
import { acting, type Operator, Refused } from "./common/operate.ts"
import { table } from "./common/table.ts"

interface Options {
  by: string
  from?: string
  to?: string
  account?: string
  scraper?: string
  json: boolean
}

/** `trawl usage`: who used what. */
export function registerUsage(program: Command): void {
  program
    .command("usage")
    .description(
      "Print used pages, items, credits and bytes, for example: trawl usage --by account,scraper",
    )
    .option("--by <parts>", "day, account, key and scraper, comma-separated", "day")
    .option("--from <day>", "first day, for example 2026-01-31 (default: 30 days ago)")
    .option("--to <day>", "last day (default: today)")
    .option("--account <account>", "ID or email address of one account; keyless for anonymous runs")
    .option("--scraper <slug>", "slug of one scraper")
    .option("--json", "print JSON Lines", false)
    .action((options: Options) => acting((by) => print(by, options)))
}

type Sums = Record<string, string | number | null>

async function print(by: Operator, { json, ...requested }: Options): Promise<void> {
  const parts = requested.by.split(",").map((part) => part.trim())
  const unknown = parts.find((part) => !["day", "account", "key", "scraper"].includes(part))
  if (unknown !== undefined) {
    throw new Refused(`--by must be day, account, key or scraper, not "${unknown}".`)
  }
  const query = new URLSearchParams(Object.entries({ ...requested, by: parts.join("|") }))
  const usage: { items: Sums[]; total: Sums; truncated: boolean } = await by.call(
    "GET",
    `/usage?${query}`,
  )
  if (json) {
    for (const row of usage.items) console.log(JSON.stringify(row))
  } else {
    const names = [...parts, "pages", "items", "credits", "bytes"]
    const cells = (row: Sums) => names.map((name) => String(row[name] ?? "-"))
    const total = cells({ ...usage.total, [parts[0]!]: "all" })
    console.log(table([names, ...usage.items.map(cells), total]))
  }
  if (usage.truncated) console.error("There is more; ask for fewer days or parts.")
}
