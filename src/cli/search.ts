import { type Command, InvalidArgumentError, Option } from "commander"
import {
  engineNames,
  kinds,
  type SafeSearch,
  safeLevels,
  type TimeRange,
  timeRanges,
} from "../api/search/engines.ts"
import { localParts } from "../api/search/local-parts.ts"
import { regionOf } from "../api/search/regions.ts"
import { failedEngines, type SearchResponse, search, searchMarkdown } from "../api/search/search.ts"
import { maxQuery, SearchFailed } from "../api/search/web-search.ts"
import { scraperBySlug } from "../catalogue/index.ts"
import { Unanswered } from "../engine/net/network/other-service.ts"
import { BadUse } from "./common/bad-use.ts"
import { readSettings } from "./common/settings.ts"
import { startEngine } from "./local-engine.ts"
import { remoteService } from "./run/remote-service.ts"

interface Options {
  limit: number
  pages: number
  maxTokens: number
  kind: (typeof kinds)[number]
  engines?: string
  country?: string
  language?: string
  timeRange?: TimeRange
  safeSearch?: SafeSearch
  json: boolean
  remote?: string
  key?: string
}

/** Milliseconds for all of a search on this machine. */
const waitMs = 45_000

/** `trawl search`: one query over several search engines, in this process or on a server. */
export function registerSearch(program: Command): void {
  program
    .command("search")
    .description(
      "Search the web with several engines at once, for example: trawl search tide tables",
    )
    .argument("<words...>", "search words")
    .option("--limit <count>", "maximum results (1-50)", count(1, 50), 10)
    .option("--pages <count>", "read the pages of this many results (0-10)", count(0, 10), 0)
    .option(
      "--max-tokens <count>",
      "approximate maximum tokens of the output",
      count(200, 1_000_000),
      20_000,
    )
    .addOption(new Option("--kind <kind>", "kind of results").choices(kinds).default("web"))
    .option("--engines <names>", `engines, comma-separated: ${engineNames.join(", ")}`)
    .option("--country <code>", "two-letter country code, for example de")
    .option("--language <code>", "language code, for example de")
    .addOption(
      new Option("--time-range <range>", "maximum age of results").choices(Object.keys(timeRanges)),
    )
    .addOption(new Option("--safe-search <level>", "filter of adult content").choices(safeLevels))
    .option("--json", "print JSON", false)
    .option("--remote <url>", "URL of the Trawl server that searches")
    .option("--key <key>", "API key of that server (default: TRAWL_API_KEY)")
    .action(async (words: string[], options: Options) => {
      try {
        await print(words.join(" "), options)
      } catch (error) {
        if (!(error instanceof BadUse || error instanceof Unanswered)) throw error
        console.error(error.message)
        process.exitCode = 2
      }
    })
}

const count = (min: number, max: number) => (text: string) => {
  const number = Number(text)
  if (text.trim() !== "" && Number.isInteger(number) && number >= min && number <= max) {
    return number
  }
  throw new InvalidArgumentError(`It must be an integer from ${min} to ${max}.`)
}

/** @throws BadUse, Unanswered */
async function print(query: string, options: Options): Promise<void> {
  if (query.trim() === "" || query.length > maxQuery) {
    throw new BadUse(
      `The query must have 1 to ${maxQuery} characters; put it in quotes after the command.`,
    )
  }
  const response = options.remote ? await there(query, options) : await here(query, options)
  if (!response) return
  const failed = failedEngines(response.engines)
  if (failed) console.error(failed)
  if (response.notice) console.error(response.notice)
  const { items, engines } = response
  console.log(options.json ? JSON.stringify({ items, engines }, null, 2) : searchMarkdown(items))
}

/** Returns undefined if all engines failed: the reason is printed. */
async function here(query: string, options: Options): Promise<SearchResponse | undefined> {
  const names = options.engines?.split(",").map((name) => name.trim().toLowerCase())
  const unknown = names?.find((name) => !engineNames.includes(name))
  if (unknown !== undefined) {
    throw new BadUse(`There is no engine "${unknown}", only ${engineNames.join(", ")}.`)
  }
  const { country, language, limit, pages, maxTokens, kind, timeRange, safeSearch } = options
  const region = country === undefined ? undefined : regionOf(country, language)
  if (country !== undefined && !region)
    throw new BadUse(`No engine knows the country "${country}"; use a two-letter code such as de.`)
  const engine = startEngine("search", readSettings())
  const stopping = new AbortController()
  const end = () => stopping.abort()
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end)
  try {
    const parts = localParts({
      ...{ store: engine.store, runs: engine.runs, scraper: scraperBySlug },
      ...{ origin: "cli", signal: stopping.signal },
    })
    return await search(parts, {
      ...{ query, limit, pages, maxTokens, kind, waitMs },
      ...{ names, region, timeRange, safeSearch },
    })
  } catch (error) {
    if (!(error instanceof SearchFailed)) throw error
    console.error(error.message)
    process.exitCode = 1
    return undefined
  } finally {
    await engine.stop()
  }
}

interface RemoteResponse extends SearchResponse {
  status: string
  error?: { message?: string } | string
}

async function there(query: string, options: Options): Promise<SearchResponse | undefined> {
  const { json: _, remote, key, ...rest } = options
  const parameters = new URLSearchParams({ q: query })
  for (const [name, value] of Object.entries(rest)) parameters.set(name, String(value))
  const response = await remoteService(remote!, key).json<RemoteResponse>(
    "GET",
    `/api/search?${parameters}`,
  )
  if (response.status === "SUCCEEDED") return response
  const { error } = response
  console.error(typeof error === "string" ? error : (error?.message ?? response.status))
  process.exitCode = 1
  return undefined
}
