import { messageOf } from "../base/error-message.ts"
import { nearest } from "../base/nearest.ts"
import { catalogue } from "../catalogue/index.ts"

/** What was asked for cannot be done as it was written; the message says why. Exit code 2. */
export class BadUse extends Error {}

export function unknownScraper(slug: string): BadUse {
  const slugs = catalogue.map((scraper) => scraper.slug)
  const near = nearest(slug, slugs) ?? slugs.find((known) => known.startsWith(slug))
  const hint = near ? `Did you mean "${near}"?` : "`trawl scrapers` lists them."
  return new BadUse(`There is no scraper "${slug}". ${hint}`)
}

/** The value of --input, parsed: JSON, @file, or - for standard input. @throws BadUse */
export async function readInput(
  given: string | undefined,
  fallback: unknown = {},
): Promise<unknown> {
  if (given === undefined) return fallback
  const text = await inputText(given)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadUse(`The input is no JSON: ${messageOf(error)}`)
  }
}

async function inputText(given: string): Promise<string> {
  if (given === "-") return Bun.stdin.text()
  if (!given.startsWith("@")) return given
  const path = given.slice(1)
  try {
    return await Bun.file(path).text()
  } catch (error) {
    throw new BadUse(`${path} cannot be read: ${messageOf(error)}`)
  }
}
