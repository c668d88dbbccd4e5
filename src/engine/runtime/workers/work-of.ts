import { type AnyScraper, BadInput } from "../../../catalogue/kit/index.ts"

/** The work of a run: for a recipe, the scraper of the catalogue and its input. */
export interface Work {
  scraper: AnyScraper
  input: Record<string, unknown>
  recipe: string | null
}

/**
 * Returns a run's scraper and input. @throws BadInput if the scraper no longer accepts the recipe's
 * fixed input
 */
export function workOf(scraper: AnyScraper, input: Record<string, unknown>): Work {
  const { own, slug } = scraper
  if (!own) return { scraper, input, recipe: null }
  return { scraper: own.scraper, input: own.inputOf(input), recipe: slug }
}

/**
 * Returns the work of a queued run for storage: the input is the same text as that of a run that
 * starts immediately, so that both compare equal. An input that the scraper no longer accepts is
 * refused by its worker.
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

/** Returns the session of a run: its own, or its recipe's. */
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
