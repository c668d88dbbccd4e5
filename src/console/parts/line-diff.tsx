import { type Definition, definition } from "../data/catalogue.ts"
import type { Item } from "../data/keyless.ts"
import { itemsOf, runOf } from "../data/runs.ts"
import { useLoaded } from "../use-loaded.ts"

/** Lines of one thing that are shown. */
const most = 200

interface Diff {
  name: string
  removed: string[]
  added: string[]
}

/** Which lines went and which came, at the last check of pages that are watched by their lines. */
export function LineDiff({ scraper, runId }: { scraper: string; runId: string }) {
  const loaded = useLoaded(
    async (signal) => {
      const { watch } = await definition(scraper, signal)
      if (!watch?.lines) return []
      const { datasetId } = await runOf(runId, signal)
      const { items } = await itemsOf(datasetId, 0, signal)
      return items
        .map((item) => diffOf(item, watch.lines!))
        .filter(({ removed, added }) => removed.length + added.length > 0)
    },
    [scraper, runId],
  )
  if (loaded.state !== "there" || loaded.value.length === 0) return null
  return (
    <section aria-labelledby="diff">
      <h2 id="diff">Lines that changed at the last check</h2>
      {loaded.value.map(({ name, removed, added }) => (
        <div key={name}>
          <h3>{name}</h3>
          <div class="diff">
            {removed.slice(0, most).map((line, index) => (
              <del key={index}>{line}</del>
            ))}
            {added.slice(0, most).map((line, index) => (
              <ins key={index}>{line}</ins>
            ))}
          </div>
        </div>
      ))}
    </section>
  )
}

function diffOf(item: Item, lines: NonNullable<NonNullable<Definition["watch"]>["lines"]>): Diff {
  const list = (value: unknown) => (Array.isArray(value) ? value.map(String) : [])
  return {
    name: String(item.title ?? item.url ?? ""),
    removed: list(item[lines.removed]),
    added: list(item[lines.added]),
  }
}
