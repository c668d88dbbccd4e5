import { type OwnField, ownFieldsOf } from "../../catalogue/kit/index.ts"
import { inputsOfRuns } from "../../store/runs/run-lists.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { Service } from "../service.ts"

/** Runs of one answer that are asked which fields their input names. */
const maxRead = 20

/** The fields that the inputs of runs name, each once; none of scrapers whose items are all alike. */
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

/** An input that was kept by another version may name fields that cannot be read now. */
function namedIn(scraper: Parameters<typeof ownFieldsOf>[0], input: string): OwnField[] {
  try {
    return ownFieldsOf(scraper, JSON.parse(input))
  } catch {
    return []
  }
}
