import type { TSchema } from "@sinclair/typebox"
import { nearest } from "../../base/nearest.ts"
import { briefText, type InputFault, mostFaults } from "../../catalogue/kit/index.ts"
import { invalid } from "../http/errors.ts"
import { errorItemSchema } from "../schemas/item.ts"

/** What error items have beside the name that their scraper gives to their target. */
const ofErrors = [...Object.keys(errorItemSchema.properties), "url", "input"]

/** The names of a scraper's fields; undefined where its items may have any. */
function fieldsOf(schema: TSchema): string[] | undefined {
  const forms: TSchema[] = schema.anyOf ?? [schema]
  if (forms.some(({ additionalProperties: more }) => more === true)) return undefined
  return [...new Set(forms.flatMap((form) => Object.keys(form.properties ?? {})))]
}

/** A field that no item can have would be left out in silence. @throws ApiError 400 */
export function requireFields(schema: TSchema, names: readonly string[]): void {
  const own = fieldsOf(schema)
  if (!own) return
  const known = new Set([...own, ...ofErrors])
  const faults: InputFault[] = names
    .filter((name) => !known.has(name))
    .slice(0, mostFaults)
    .map((name) => {
      const near = nearest(name, [...known])
      const hint = near ? ` Did you mean "${near}"?` : ""
      return {
        field: "fields",
        message: `There is no field "${briefText(name)}" in these items.${hint}`,
        expected: near ?? own.join(", "),
        actual: briefText(name),
      }
    })
  if (faults.length > 0) throw invalid(faults, "query")
}
