import { type Definition, definition } from "../../data/catalogue.ts"
import { changedWords, type Piece } from "../../data/changed-words.ts"
import type { Item } from "../../data/keyless.ts"
import type { Point } from "../../data/monitors.ts"
import { itemsOf, runOf } from "../../data/runs.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { When } from "../status.tsx"

/** Maximum lines of one page that are displayed. */
const max = 200
/** Maximum runs whose changes are searched, newest first. */
const maxRuns = 3

interface Diff {
  name: string
  at: string
  removed: Piece[][]
  added: Piece[][]
}

/** The removed and added lines at the last change of pages that are watched by line. */
export function LineDiff({ scraper, points }: { scraper: string; points: Point[] }) {
  const changes = new Map(
    points.flatMap(({ changeRunId, changedAt }) =>
      changeRunId && changedAt ? [[changeRunId, changedAt] as const] : [],
    ),
  )
  const newest = [...changes].slice(0, maxRuns)
  const loaded = useLoaded(
    async (signal) => {
      const { watch } = await definition(scraper, signal)
      const lines = watch?.lines
      if (!lines) return []
      const runs = newest.map(async ([runId, at]) => {
        const { datasetId } = await runOf(runId, signal)
        const { items } = await itemsOf(datasetId, 0, signal)
        return items.map((item) => diffOf(item, lines, at))
      })
      // A run that was deleted meanwhile does not affect the others.
      const results = await Promise.allSettled(runs)
      return results
        .flatMap((one) => (one.status === "fulfilled" ? one.value : []))
        .filter(({ removed, added }) => removed.length + added.length > 0)
    },
    [scraper, newest.join()],
  )
  if (loaded.state !== "there" || loaded.value.length === 0) return null
  return (
    <section aria-labelledby="diff">
      <h2 id="diff">Lines that changed</h2>
      {loaded.value.map(({ name, at, removed, added }) => (
        <div key={name + at}>
          <h3>
            {name}{" "}
            <span class="muted">
              <When at={at} />
            </span>
          </h3>
          <div class="diff">
            {removed.map((line, index) => (
              <del key={index}>
                <Pieces of={line} />
              </del>
            ))}
            {added.map((line, index) => (
              <ins key={index}>
                <Pieces of={line} />
              </ins>
            ))}
          </div>
        </div>
      ))}
    </section>
  )
}

const Pieces = ({ of }: { of: Piece[] }) => (
  <>
    {of.map(({ text, isChanged }, index) => (isChanged ? <mark key={index}>{text}</mark> : text))}
  </>
)

type Lines = NonNullable<NonNullable<Definition["watch"]>["lines"]>

function diffOf(item: Item, lines: Lines, at: string): Diff {
  const list = (value: unknown) =>
    Array.isArray(value) ? value.slice(0, max).map((line) => whole(String(line))) : []
  const [removed, added] = [list(item[lines.removed]), list(item[lines.added])]
  // Pairs the first removed line with the first added line, and so on.
  for (let index = 0; index < Math.min(removed.length, added.length); index++) {
    const pair = changedWords(removed[index]![0]!.text, added[index]![0]!.text)
    if (pair) [removed[index], added[index]] = pair
  }
  return { name: String(item.title ?? item.url ?? ""), at, removed, added }
}

const whole = (text: string): Piece[] => [{ text, isChanged: false }]
