import type { TSchema } from "@sinclair/typebox"
import { nearest } from "../../base/nearest.ts"
import {
  type AnyScraper,
  type Condition,
  conditionKinds,
  ownFieldsOf,
  schemaWithOwn,
} from "../../catalogue/kit/index.ts"
import { fieldOf, watchOf } from "../../engine/ops/monitors/readings.ts"
import { issue } from "../http/body.ts"
import { invalid } from "../http/errors.ts"
import { typesAt } from "../items/item-fields.ts"

/**
 * Validates conditions: each has its parameters, and its field exists and has a suitable type.
 * @param input Input that defines the item fields of some scrapers. @throws ApiError 400
 */
export function checkedConditions(
  conditions: readonly Condition[],
  scraper: AnyScraper,
  input: Record<string, unknown>,
): string {
  const schema = schemaWithOwn(scraper.item, ownFieldsOf(scraper, input))
  const issues = conditions.flatMap(
    (condition, index) => issueOf(condition, `conditions[${index}]`, scraper, schema) ?? [],
  )
  if (issues.length > 0) throw invalid(issues, "body")
  return JSON.stringify(conditions)
}

function issueOf(condition: Condition, path: string, scraper: AnyScraper, schema: TSchema) {
  const { when, field } = condition
  const kind = conditionKinds[when]
  const needed = "needs" in kind ? kind.needs : undefined
  if (needed && condition[needed] === undefined) {
    return issue(`${path}.${needed}`, `${path}: "${when}" needs "${needed}".`, "a number")
  }
  if (fieldOf(condition, watchOf(scraper.watch)) === undefined) {
    const { about } = conditionKinds[when]
    const message =
      about === "text" && scraper.watch?.lines
        ? `${path}: "${when}" needs "text".`
        : `${scraper.slug} has no default field for "${when}"; set "field".`
    const named = about === "text" && scraper.watch?.lines ? "text" : "field"
    return issue(`${path}.${named}`, message, "a field of the items")
  }
  return field === undefined ? undefined : fieldIssue(condition, field, path, scraper.slug, schema)
}

/** Returns the issue of a field that no item has, or whose type never meets the condition. */
function fieldIssue(
  { when }: Condition,
  field: string,
  path: string,
  slug: string,
  schema: TSchema,
) {
  const { types, known } = typesAt(schema, field)
  if (!types) {
    const near = nearest(field.split(".").at(-1)!, known)
    const hint = near ? ` Did you mean "${near}"?` : ""
    const message = `Items of ${slug} have no field "${field}".${hint}`
    return issue(`${path}.field`, message, near ?? known.join(", "))
  }
  const { about } = conditionKinds[when]
  const wanted = readable[about]
  const all = [...types]
  if (!wanted || all.length === 0 || all.some((type) => wanted.types.includes(type)))
    return undefined
  const message = `"${field}" is ${all.map(wordFor).join(" or ")}: "${when}" never applies to it. ${wanted.hint}`
  return issue(`${path}.field`, message, wanted.types.join(" or "))
}

/** Types of the fields that a condition can read; other conditions read any type. */
const readable: Partial<Record<string, { types: string[]; hint: string }>> = {
  value: { types: ["number", "integer", "string"], hint: "Choose a number field." },
  days: {
    types: ["number", "integer", "string"],
    hint: "Choose a field with a number of days.",
  },
  stock: {
    types: ["boolean"],
    hint: 'Choose a boolean field, or use "appears" or "vanishes" with "text".',
  },
}

const wordFor = (type: string) =>
  ({ string: "text", boolean: "true or false", array: "a list", object: "an object" })[type] ?? type
