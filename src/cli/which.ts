import type { Command } from "commander"
import { catalogue } from "../catalogue/index.ts"
import { ScraperSearch } from "../catalogue/search.ts"
import { scrapersFor } from "../catalogue/which.ts"
import { Unanswered } from "../engine/net/network/other-service.ts"
import { BadUse } from "./common/bad-use.ts"
import { table } from "./common/table.ts"
import { remoteService } from "./run/remote-service.ts"

interface Fitting {
  slug: string
  tagline: string
  /** It works on this very address, and not on other things of its site. */
  fits: boolean
  /** With which the address is given to it. */
  input?: Record<string, unknown>
}

/** `trawl which`: the scrapers made for a URL, or that serve a need. */
export function registerWhich(program: Command): void {
  program
    .command("which")
    .description("Find scrapers for a URL or a need, for example: trawl which hotel reviews")
    .argument("<need...>", "URL of a page, or a description")
    .option("--json", "print JSON", false)
    .option("--remote <url>", "URL of a Trawl server, to include your recipes there")
    .option("--key <key>", "API key of that server (default: TRAWL_API_KEY)")
    .action(async (words: string[], options: Options) => {
      try {
        await which(words.join(" "), options)
      } catch (error) {
        if (!(error instanceof BadUse || error instanceof Unanswered)) throw error
        console.error(error.message)
        process.exitCode = 2
      }
    })
}

interface Options {
  json: boolean
  remote?: string
  key?: string
}

/** @throws BadUse, Unanswered */
async function which(need: string, { json, remote, key }: Options): Promise<void> {
  const url = urlOf(need)
  const matches =
    url === undefined ? await serving(need, remote, key) : await made(url, remote, key)
  if (matches.length === 0) throw new BadUse(`No scraper fits "${need}". Try other words.`)
  if (json) return console.log(JSON.stringify(matches, null, 2))
  if (url === undefined) {
    const rows = matches.map(({ slug, tagline }) => [slug, tagline])
    return console.log(table([["Scraper", "What it gives"], ...rows]))
  }
  const rows = matches.map(({ slug, fits, tagline }) => [
    slug,
    fits ? "takes it" : "of its site",
    tagline,
  ])
  console.log(table([["Scraper", "This address", "What it gives"], ...rows]))
}

/** The URL that a need is; undefined for words. @throws BadUse */
function urlOf(need: string): string | undefined {
  if (/\s/.test(need) || !/^[a-z][\w+-]*:|\./i.test(need)) return undefined
  const url = /^[a-z][\w+.-]*:/i.test(need) ? need : `https://${need}`
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return url
  throw new BadUse(`${need} is not the URL of a page, for example https://example.com/page.`)
}

const made = async (url: string, remote?: string, key?: string) =>
  remote === undefined ? fittingHere(url) : fittingThere(url, remote, key)

async function serving(need: string, remote?: string, key?: string): Promise<Fitting[]> {
  if (remote === undefined) return new ScraperSearch(catalogue).find(need, { limit }).map(served)
  const query = new URLSearchParams({ search: need, limit: String(limit) })
  const path = `/api/v1/scrapers?${query}`
  const { items } = await remoteService(remote, key).json<{ items: Fitting[] }>("GET", path)
  return items.map(served)
}

/** Of a need in words. */
const limit = 5
const served = ({ slug, tagline }: Pick<Fitting, "slug" | "tagline">): Fitting => ({
  slug,
  tagline,
  fits: true,
})

function fittingHere(url: string): Fitting[] {
  return scrapersFor(url).map(({ scraper: { slug, tagline }, input }) => ({
    slug,
    tagline,
    fits: input !== undefined,
    ...(input && { input }),
  }))
}

async function fittingThere(url: string, remote: string, key?: string): Promise<Fitting[]> {
  const path = `/api/v1/scrapers?url=${encodeURIComponent(url)}`
  const { items } = await remoteService(remote, key).json<{ items: Fitting[] }>("GET", path)
  const here = new Map(fittingHere(url).map((one) => [one.slug, one]))
  // What is not known here is a recipe, and made for this address.
  return items.map(({ slug, tagline }) => here.get(slug) ?? { slug, tagline, fits: true })
}
