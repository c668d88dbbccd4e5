import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { TSchema } from "@sinclair/typebox"
import { callerSchema } from "../../src/api/json-schema.ts"
import { categories } from "../../src/catalogue/define.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { checkInput } from "../../src/catalogue/input.ts"

/** The input contract of each slug, where the specification lies beside the project. */
const contractPath = join(import.meta.dir, "../../../shared/spec/slugs.tsv")
const contract = new Map<string, { tier: string; required: string[]; optional: string[] }>()
if (existsSync(contractPath)) {
  for (const line of readFileSync(contractPath, "utf8").split("\n").slice(1)) {
    const [, slug, tier, , input] = line.split("\t")
    if (!slug || !input) continue
    const [required = "", optional = ""] = input.split(/;\s*opt\b/)
    contract.set(slug, {
      tier: tier!,
      required: fieldNames(required),
      optional: fieldNames(optional),
    })
  }
}

/** Names before a type in brackets: `startUrls(a, start URLs)`. */
function fieldNames(text: string): string[] {
  const flat = text.replace(/\(([^()]|\([^()]*\))*\)/g, (brackets) =>
    /^\((?:a|s|i|b|sel|obj)\b/.test(brackets) ? "§" : "",
  )
  return [...flat.matchAll(/(\w+)\s*§/g)].map((match) => match[1]!)
}

function properties(schema: TSchema): [string, TSchema][] {
  return Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
}

describe("each scraper is whole", () => {
  for (const scraper of catalogue) {
    test(scraper.slug, () => {
      expect(categories).toContain(scraper.category)
      expect(scraper.tagline.length).toBeGreaterThan(10)
      const checked = checkInput(scraper.input, scraper.example)
      if (!checked.ok) throw new Error(`its example: ${JSON.stringify(checked.faults)}`)
      expect(scraper.targets(checked.input).length).toBeGreaterThan(0)
      for (const [name, field] of properties(scraper.input)) {
        expect(field.description, `input ${name} has no description`).toBeTruthy()
      }
      const item: TSchema = scraper.item
      const shapes: TSchema[] = item.anyOf ?? [item]
      for (const shape of shapes) {
        expect(properties(shape).length, "the item has documented fields").toBeGreaterThan(1)
        expect(shape.additionalProperties, "the item's schema is closed").toBe(false)
        for (const [name, field] of properties(shape)) {
          const described = field.description ?? field.anyOf?.[0]?.description ?? field.const
          expect(described, `item field ${name} has no description`).toBeTruthy()
        }
      }
      expect(Object.keys(scraper.pace ?? { none: 1 }).length).toBeGreaterThan(0)
      const wanted = contract.get(scraper.slug)
      if (!wanted) return
      const names = properties(scraper.input).map(([name]) => name)
      expect(names.sort()).toEqual([...wanted.required, ...wanted.optional].sort())
      expect([...(callerSchema(scraper.input).required ?? [])].sort()).toEqual(
        wanted.required.sort(),
      )
      expect(scraper.tier).toBe(wanted.tier as "free" | "premium")
    })
  }
})
