import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { TSchema } from "@sinclair/typebox"
import { callerSchema } from "../../src/api/http/json-schema.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { categories, checkInput } from "../../src/catalogue/kit/index.ts"
import { fieldsOf } from "../../src/engine/ops/health/counters.ts"
import { sourceOf } from "../../src/engine/ops/health/probe-input.ts"
import { probeIssues } from "../../src/engine/ops/health/probe-store.ts"
import {
  type InputField,
  readContract,
  readFurtherInputs,
  type ScraperContract,
} from "../contract/inputs.ts"
import { readSpecification } from "../contract/specification.ts"

const specification = join(import.meta.dir, "../../../shared/spec/slugs.tsv")
const contract = readContract()
const further = readFurtherInputs()

function properties(schema: TSchema): [string, TSchema][] {
  return Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
}

/** Fields that contain a price's currency. */
const moneyFields = ["currency", "vsCurrency", "quoteCurrency", "targetCurrency"]
const priceFields = ["price", "priceTotal", "priceMin", "priceMax", "rate"]

test("a probe that checks a price checks its currency", () => {
  const silent = catalogue.filter(({ item, probe }) => {
    const names = new Set(fieldsOf(item))
    const money = moneyFields.filter((name) => names.has(name))
    const looksAt = (name: string) =>
      probe?.expect.some((line) => line.includes(`.${name} `) || line.includes(`.${name}[`))
    const priced = priceFields.some(looksAt)
    return priced && money.length > 0 && !money.some(looksAt)
  })
  expect(silent.map(({ slug }) => slug)).toEqual([])
})

describe("each scraper's definition is complete", () => {
  for (const scraper of catalogue) {
    test(scraper.slug, () => {
      expect(categories).toContain(scraper.category)
      expect(scraper.tagline.length).toBeGreaterThan(10)
      const checked = checkInput(scraper.input, scraper.example)
      if (!checked.ok) throw new Error(`its example: ${JSON.stringify(checked.issues)}`)
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
      expect(probeIssues(scraper, scraper.probe)).toEqual([])
      const source = sourceOf(scraper.probe?.input)
      if (source !== null) expect(catalogue.map(({ slug }) => slug)).toContain(source)
      expect(Object.keys(scraper.rateLimit ?? { none: 1 }).length).toBeGreaterThan(0)
    })
  }
})

describe("the contract of slugs and inputs", () => {
  const fieldsOf = ({ required, optional }: ScraperContract) => [...required, ...optional]

  test("151 scrapers with 424 input fields", () => {
    expect(contract).toHaveLength(151)
    expect(contract.flatMap(fieldsOf)).toHaveLength(424)
    const slugs = new Set(catalogue.map(({ slug }) => slug))
    const missing = contract.map(({ slug }) => slug).filter((slug) => !slugs.has(slug))
    expect(missing, "scrapers that callers rely on are gone; one more is welcome").toEqual([])
  })

  for (const wanted of contract) {
    test(wanted.slug, () => {
      const scraper = catalogue.find(({ slug }) => slug === wanted.slug)!
      const fields = Object.fromEntries(properties(scraper.input))
      const all = [...fieldsOf(wanted), ...(further.get(wanted.slug) ?? [])]
      expect(Object.keys(fields).sort()).toEqual(namesOf(all))
      const required: string[] = callerSchema(scraper.input).required ?? []
      expect([...required].sort()).toEqual(namesOf(wanted.required))
      expect(scraper.tier).toBe(wanted.tier as "free" | "premium")
      for (const { name, type, most } of all) {
        const schema = fields[name]!
        expect(typeOf(schema), name).toBe(type)
        if (type === "array") expect(typeOf(schema.items), `an entry of ${name}`).not.toBe("array")
        if (most !== undefined) expect(schema.maximum ?? schema.maxItems, name).toBe(most)
      }
    })
  }

  const hasSpecification = existsSync(specification)
  if (!hasSpecification) {
    console.log("../shared/spec is not here: the contract is not compared with the specification.")
  }
  test.if(hasSpecification)("matches the specification", () => {
    expect(contract).toEqual(readSpecification(readFileSync(specification, "utf8")))
  })
})

const namesOf = (fields: readonly InputField[]) => fields.map(({ name }) => name).sort()

/** Returns the contract's word for the values that a schema accepts. */
const typeOf = (schema: TSchema): string => (schema.enum ? "select" : String(schema.type))
