import { scraperBySlug } from "../../catalogue/index.ts"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { Unanswered } from "../../engine/net/network/other-service.ts"
import { BadUse, scraperNamed } from "../bad-use.ts"
import { remoteService } from "./remote-service.ts"

/** What is needed of a scraper to run it: one of the catalogue, or what another Trawl says of its own. */
export interface Runnable
  extends Pick<AnyScraper, "slug" | "input" | "item" | "example" | "ownFields"> {
  /** The input is checked by the server that runs it, because only that server has the recipe. */
  isElsewhere?: boolean
}

interface Definition {
  slug: string
  inputSchema: AnyScraper["input"]
  /** A good item, or an error item. */
  itemSchema: { anyOf: AnyScraper["item"][] }
  example: Record<string, unknown>
}

/** A scraper of another Trawl: its recipes too. @throws BadUse */
export async function scraperThere(
  name: string,
  address: string,
  key: string | undefined,
): Promise<Runnable> {
  const known = scraperBySlug(name)
  if (known) return known
  const path = `/api/v1/scrapers/${encodeURIComponent(name)}`
  try {
    const found = await remoteService(address, key).json<Definition>("GET", path)
    const { slug, inputSchema: input, itemSchema, example } = found
    const item = itemSchema.anyOf[0]!
    const own = Object.entries<AnyScraper["item"]>(item.properties?.data?.properties ?? {})
    const ownFields = () => own.map(([name, schema]) => ({ name, at: ["data", name], schema }))
    return { slug, input, item, example, ownFields, isElsewhere: true }
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error
    if (error.status !== 404) throw new BadUse(error.message)
    return partlyNamed(name, error.message)
  }
}

/** A part of a slug of the catalogue. @throws BadUse with what the other Trawl answered */
function partlyNamed(name: string, response: string): Runnable {
  try {
    return scraperNamed(name)
  } catch (error) {
    throw error instanceof BadUse ? new BadUse(response) : error
  }
}
