import { type AnyScraper, BadInput } from "../../../catalogue/kit/index.ts"

/** What a run does: of an account's own scraper, the one of the catalogue that does its work. */
export interface Work {
  scraper: AnyScraper
  input: Record<string, unknown>
  recipe: string | null
}

/** @throws BadInput when the scraper of the catalogue no longer accepts what the account's own has fixed */
export function workOf(scraper: AnyScraper, input: Record<string, unknown>): Work {
  const { own, slug } = scraper
  if (!own) return { scraper, input, recipe: null }
  return { scraper: own.scraper, input: own.inputOf(input), recipe: slug }
}

/**
 * The same as a queued run is stored: the input is the same text as that of a run that starts at once, so
 * that both compare. An input that the catalogue's scraper no longer accepts is refused by its worker.
 */
export function storedWork(
  scraper: AnyScraper,
  input: Record<string, unknown>,
  named?: string | null,
) {
  const { own, slug } = scraper
  const session = sessionOf(scraper, named)
  if (!own) return { slug, recipe: null, input: JSON.stringify(input), session }
  const whole = JSON.stringify(wholeInput(own, input))
  return { slug: own.scraper.slug, recipe: slug, input: whole, session }
}

/** Returns the session of a run: the one that it names, or that of its recipe. */
export const sessionOf = ({ own }: AnyScraper, named?: string | null): string | null =>
  named ?? own?.session ?? null

function wholeInput(own: NonNullable<AnyScraper["own"]>, input: Record<string, unknown>) {
  try {
    return own.inputOf(input)
  } catch (error) {
    if (error instanceof BadInput) return { ...own.fixed, ...input }
    throw error
  }
}
