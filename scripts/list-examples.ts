import { join } from "node:path"
import type { TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { catalogue } from "../src/catalogue/index.ts"
import { isErrorItem } from "../src/engine/runtime/run/checkpoints.ts"
import { casesUnder, ownCases, replay } from "../test/corpus-run.ts"

/**
 * Writes the examples of the API's document: for each scraper an input and an item of a recorded
 * case.
 */
export const examplesPath = join(import.meta.dir, "../src/api/examples/examples.json")

export interface Example {
  input: Record<string, unknown>
  item: Record<string, unknown>
}

const maxText = 120
const maxEntries = 2
const maxItem = 2500

/** Returns a short form of a value that still matches its schema. */
function shortened(schema: TSchema, value: unknown): unknown {
  const short = cut(value)
  return Value.Check(schema, short) ? short : value
}

function cut(value: unknown): unknown {
  if (typeof value === "string") {
    return value.length > maxText ? `${value.slice(0, maxText - 1).trimEnd()}…` : value
  }
  if (Array.isArray(value)) return value.slice(0, maxEntries).map(cut)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, cutField(name, part)]),
  )
}

function cutField(name: string, value: unknown, schema?: TSchema): unknown {
  if (typeof value === "string" && momentOfReplay.test(name)) return anyMoment
  return schema ? shortened(schema, value) : cut(value)
}

/** Fields of the replay itself, which differ each time it runs. */
const momentOfReplay = /^(?:fetched|checked|generated)At$/
const anyMoment = "2026-01-01T12:00:00.000Z"

const isFilled = (value: unknown) =>
  value !== null && value !== "" && !(Array.isArray(value) && value.length === 0)

/** Returns the item with the most fields among a scraper's good items that are short enough. */
export async function exampleOf(slug: string): Promise<Example | undefined> {
  const { item: schema } = catalogue.find((scraper) => scraper.slug === slug)!
  let best: { filled: number; example: Example } | undefined
  for (const recorded of casesUnder(ownCases, slug)) {
    const { items } = await replay(recorded)
    for (const item of items.filter((one) => !isErrorItem(one))) {
      const short = Object.fromEntries(
        Object.entries(item).map(([name, value]) => {
          const field = (schema as TSchema).properties?.[name]
          return [name, cutField(name, value, field)]
        }),
      )
      const size = JSON.stringify(short).length
      const filled = size > maxItem ? -size : Object.values(short).filter(isFilled).length
      if (best && filled <= best.filled) continue
      best = { filled, example: { input: recorded.input, item: short } }
    }
  }
  return best?.example
}

if (import.meta.main) {
  const lines: string[] = []
  for (const { slug } of catalogue) {
    const example = await exampleOf(slug)
    if (example) lines.push(`${JSON.stringify(slug)}: ${JSON.stringify(example)}`)
  }
  await Bun.write(examplesPath, `{\n${lines.join(",\n")}\n}\n`)
  console.log(`${lines.length} of ${catalogue.length} scrapers have an example.`)
}
