import { scraperBySlug } from "../../catalogue/index.ts"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { Unanswered } from "../../engine/net/network/other-service.ts"
import { BadUse } from "../common/bad-use.ts"
import { scraperNamed } from "../common/scraper-named.ts"
import { remoteService } from "./remote-service.ts"

/** The parts of a scraper that a run needs: of the catalogue, or of another server. */
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

/** A scraper of another server, including recipes. @throws BadUse */
export async function scraperThere(
  name: string,
  url: string,
  key: string | undefined,
): Promise<Runnable> {
  const known = scraperBySlug(name)
  if (known) return known
  const path = `/api/v1/scrapers/${encodeURIComponent(name)}`
  try {
    const definition = await remoteService(url, key).json<Definition>("GET", path)
    const { slug, inputSchema: input, itemSchema, example } = definition
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

/** Finds a scraper by a part of its slug. @throws BadUse with the other server's response */
function partlyNamed(name: string, response: string): Runnable {
  try {
    return scraperNamed(name)
  } catch (error) {
    throw error instanceof BadUse ? new BadUse(response) : error
  }
}
