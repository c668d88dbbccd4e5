import { type OwnField, ownFieldsOf } from "../../catalogue/kit/index.ts"
import { inputsOfRuns } from "../../store/runs/run-lists.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { Service } from "../service.ts"

/** Maximum runs of one response whose inputs are read for field definitions. */
const maxRead = 20

/** The fields that the inputs of runs define, each once; none for scrapers with fixed fields. */
export async function ownFieldsOfRuns(
  service: Pick<Service, "store" | "scraper">,
  runs: readonly Pick<RunRow, "n" | "slug">[],
): Promise<OwnField[]> {
  const naming = runs.filter(({ slug }) => service.scraper(slug)?.ownFields).slice(0, maxRead)
  if (naming.length === 0) return []
  const inputs = await inputsOfRuns(
    service.store.db,
    naming.map(({ n }) => n),
  )
  const all = new Map<string, OwnField>()
  for (const { slug, input } of inputs) {
    for (const field of namedIn(service.scraper(slug)!, input)) {
      if (!all.has(field.name)) all.set(field.name, field)
    }
  }
  return [...all.values()]
}

/** Inputs stored by another version may define fields that cannot be read now. */
function namedIn(scraper: Parameters<typeof ownFieldsOf>[0], input: string): OwnField[] {
  try {
    return ownFieldsOf(scraper, JSON.parse(input))
  } catch {
    return []
  }
}
