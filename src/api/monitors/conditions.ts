import type { TObject } from "@sinclair/typebox"
import { nearest } from "../../base/nearest.ts"
import { type AnyScraper, type Condition, conditionKinds } from "../../catalogue/kit/index.ts"
import { fieldOf, watchOf } from "../../engine/monitors/readings.ts"
import { fault } from "../http/body.ts"
import { invalid } from "../http/errors.ts"

/** Conditions as they are stored; each has what it needs, of fields that there are. @throws ApiError 400 */
export function checkedConditions(conditions: readonly Condition[], scraper: AnyScraper): string {
  const faults = conditions.flatMap((condition, index) => faultOf(condition, index, scraper) ?? [])
  if (faults.length > 0) throw invalid(faults, "body")
  return JSON.stringify(conditions)
}

function faultOf(condition: Condition, index: number, scraper: AnyScraper) {
  const { when, field } = condition
  const place = `conditions[${index}]`
  const kind = conditionKinds[when]
  const needed = "needs" in kind ? kind.needs : undefined
  if (needed && condition[needed] === undefined) {
    return fault(`${place}.${needed}`, `"${when}" needs "${needed}".`, "a number")
  }
  if (fieldOf(condition, watchOf(scraper.watch)) === undefined) {
    const { about } = conditionKinds[when]
    const message =
      about === "text" && scraper.watch?.lines
        ? `"${when}" needs "text".`
        : `${scraper.slug} does not say which of its fields "${when}" is about; name one.`
    const named = about === "text" && scraper.watch?.lines ? "text" : "field"
    return fault(`${place}.${named}`, message, "a field of its items")
  }
  const known = fieldsOf(scraper)
  const first = field?.split(".")[0]
  if (first === undefined || known === undefined || known.includes(first)) return undefined
  const near = nearest(first, known)
  const hint = near ? ` Did you mean "${near}"?` : ""
  return fault(
    `${place}.field`,
    `Items of ${scraper.slug} have no field "${first}".${hint}`,
    "a field of its items",
  )
}

/** Undefined where items may have any. */
function fieldsOf({ item }: AnyScraper): string[] | undefined {
  const { properties, additionalProperties } = item as TObject
  return properties && additionalProperties === false ? Object.keys(properties) : undefined
}
