import type { Command } from "commander"
import { scrapersFor } from "../catalogue/which.ts"
import { Unanswered } from "../engine/network/other-service.ts"
import { BadUse } from "./bad-use.ts"
import { remoteService } from "./run/remote-service.ts"
import { table } from "./table.ts"

interface Fitting {
  slug: string
  tagline: string
  /** It works on this very address, and not on other things of its site. */
  takes: boolean
  /** With which the address is given to it. */
  input?: Record<string, unknown>
}

/** `trawl which`: the scrapers made for an address. */
export function registerWhich(program: Command): void {
  program
    .command("which")
    .description("tell which scrapers are made for an address")
    .argument("<url>", "of a page, or of a site")
    .option("--json", "as JSON", false)
    .option("--remote <url>", "those of the Trawl at this address, your recipes among them")
    .option("--key <key>", "an API key of that Trawl; TRAWL_API_KEY by default")
    .action(async (address: string, options: Options) => {
      try {
        await which(address, options)
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
async function which(address: string, { json, remote, key }: Options): Promise<void> {
  const url = /^[a-z][\w+.-]*:/i.test(address) ? address : `https://${address}`
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new BadUse(`${address} is no address of a page, like https://example.com/page.`)
  }
  const found = remote === undefined ? fittingHere(url) : await fittingThere(url, remote, key)
  if (json) return console.log(JSON.stringify(found, null, 2))
  const rows = found.map(({ slug, takes, tagline }) => [
    slug,
    takes ? "takes it" : "of its site",
    tagline,
  ])
  console.log(table([["Scraper", "This address", "What it gives"], ...rows]))
}

function fittingHere(url: string): Fitting[] {
  return scrapersFor(url).map(({ scraper: { slug, tagline }, input }) => ({
    slug,
    tagline,
    takes: input !== undefined,
    ...(input && { input }),
  }))
}

async function fittingThere(url: string, remote: string, key?: string): Promise<Fitting[]> {
  const path = `/api/v1/scrapers?url=${encodeURIComponent(url)}`
  const { items } = await remoteService(remote, key).json<{ items: Fitting[] }>("GET", path)
  const here = new Map(fittingHere(url).map((one) => [one.slug, one]))
  // What is not known here is a recipe, and made for this address.
  return items.map(({ slug, tagline }) => here.get(slug) ?? { slug, tagline, takes: true })
}
