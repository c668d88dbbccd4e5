import type { Command } from "commander"
import { scrapersFor } from "../catalogue/which.ts"
import { table } from "./table.ts"

/** `trawl which`: the scrapers made for an address. */
export function registerWhich(program: Command): void {
  program
    .command("which")
    .description("tell which scrapers are made for an address")
    .argument("<url>", "of a page, or of a site")
    .option("--json", "as JSON", false)
    .action((address: string, { json }: { json: boolean }) => {
      const url = /^[a-z][\w+.-]*:/i.test(address) ? address : `https://${address}`
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
        console.error(`${address} is no address of a page, like https://example.com/page.`)
        process.exitCode = 2
        return
      }
      const found = scrapersFor(url)
      if (json) {
        const rows = found.map(({ scraper: { slug, tagline }, input }) => ({
          slug,
          tagline,
          input,
        }))
        console.log(JSON.stringify(rows, null, 2))
        return
      }
      const rows = found.map(({ scraper: { slug, tagline }, input }) => [
        slug,
        input ? "takes it" : "of its site",
        tagline,
      ])
      console.log(table([["Scraper", "This address", "What it gives"], ...rows]))
    })
}
