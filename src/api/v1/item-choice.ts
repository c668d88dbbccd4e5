import { type TSchema, Type } from "@sinclair/typebox"
import { nearest } from "../../base/nearest.ts"
import { briefText, type InputIssue, maxIssues } from "../../catalogue/kit/index.ts"
import type { Choice } from "../../export/choose.ts"
import { type Condition, comparisons, numberIn } from "../../export/conditions.ts"
import type { SortKey } from "../../export/order.ts"
import { runBefore, runOfDataset } from "../../store/runs/datasets.ts"
import { invalid, notFound } from "../http/errors.ts"
import { typesAt } from "../items/item-fields.ts"
import type { CoreParts } from "../service-parts.ts"

/** Maximum items to sort or deduplicate: a key of each is held in memory. */
const maxSorted = 100_000
const maxUnique = 500_000
const maxConditions = 20
const maxFields = 3

const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

export const choiceQuery = {
  filter: texts(
    "Only items for which this holds; repeated: all of it. A field (`offer.price`; of a list, any entry), `=`, `!=`, `<`, `<=`, `>`, `>=` or `~` (holds these words), and a value, as in `price<20`; a field alone (`error`) wants it to have a value, `!error` to have none.",
  ),
  sort: texts(
    `By these fields, separated by commas: \`-price,title\`, with \`-\` from the last to the first. What has no value comes last. At most ${maxSorted.toLocaleString("en")} items.`,
  ),
  unique: texts(
    "Only the first of the items that have the same values in these fields, separated by commas; items that have none of them stay.",
  ),
  since: Type.Optional(
    Type.String({
      pattern: "^(?:previous|ds_[0-9a-f]{32})$",
      description:
        "With `unique`: only items that this dataset does not have; `previous` is that of the last earlier run of the same scraper with the same input that succeeded.",
    }),
  ),
}

interface RequestedChoice {
  filter?: string[]
  sort?: string[]
  unique?: string[]
  since?: string
}

interface Of {
  accountId: string
  runs: readonly { n: number; item_count: number; error_count: number }[]
  /** Schema of the items, if they are of one scraper. */
  schema: TSchema | undefined
}

/** Conditions as `filter` has them, of fields that there are. @throws ApiError 400 */
export function conditionsIn(filter: readonly string[], schema: TSchema | undefined): Condition[] {
  const conditions = filter.map(condition)
  if (conditions.length > maxConditions) throw tooMany("filter", maxConditions)
  const issues = schema ? conditions.flatMap((one) => conditionIssues(schema, one)) : []
  if (issues.length > 0) throw invalid(issues.slice(0, maxIssues), "query")
  return conditions
}

/** Undefined: all of the items, as they are. @throws ApiError 400, 404 */
export async function choiceOf(
  service: CoreParts,
  requested: RequestedChoice,
  { accountId, runs, schema }: Of,
): Promise<Choice | undefined> {
  const conditions = conditionsIn(requested.filter ?? [], schema)
  const sort = (namesIn(requested.sort) ?? []).map(sortKey)
  const unique = namesIn(requested.unique) ?? []
  for (const [field, names] of Object.entries({ sort, unique })) {
    if (names.length > maxFields) throw tooMany(field, maxFields)
  }
  if (requested.since !== undefined && unique.length === 0) {
    const message = '"since" needs "unique": the fields by which an item is known again.'
    throw refused("since", message, "unique=url, or another field that names an item")
  }
  const issues = schema
    ? [
        ...sort.flatMap(({ field }) => fieldIssues(schema, "sort", field)),
        ...unique.flatMap((field) => fieldIssues(schema, "unique", field)),
      ]
    : []
  if (issues.length > 0) throw invalid(issues.slice(0, maxIssues), "query")
  const had =
    requested.since === undefined ? [] : await hadRuns(service, requested.since, accountId, runs)
  if (sort.length > 0) requireFew("sort", runs, maxSorted)
  if (unique.length > 0) requireFew("unique", [...runs, ...had], maxUnique)
  if (conditions.length + sort.length + unique.length === 0) return undefined
  return { conditions, sort, unique, had: had.map(({ n }) => n) }
}

/** What is wrong with the fields by which items are to be known again. */
export function uniqueIssues(schema: TSchema, names: string[]): InputIssue[] {
  if (names.length <= maxFields) {
    return names.flatMap((name) => fieldIssues(schema, "uniqueBy", name)).slice(0, maxIssues)
  }
  const message = `"uniqueBy" takes at most ${maxFields}.`
  return [{ field: "uniqueBy", message, expected: `up to ${maxFields}` }]
}

/** Names, given by repeating or by commas. */
export function namesIn(names: string[] | undefined): string[] | undefined {
  const all = names?.flatMap((name) => name.split(",")).map((name) => name.trim())
  const provided = all?.filter((name) => name !== "")
  return provided && provided.length > 0 ? provided : undefined
}

const written = new RegExp(`^(!?)([^!<>=~]{1,200})(?:(${comparisons.join("|")})([^]{0,500}))?$`)

/** @throws ApiError 400 */
function condition(text: string): Condition {
  const [, not, field = "", is, value = ""] = written.exec(text) ?? []
  const isOdd = field.trim() === "" || (not && is) || (is !== undefined && value.trim() === "")
  if (isOdd) {
    const message = `"${briefText(text)}" is not a filter.`
    throw refused("filter", message, "such as price<20, title~words, error or !error")
  }
  return {
    field: field.trim(),
    is: is ? (is as Condition["is"]) : not ? "lacks" : "has",
    value: value.trim(),
  }
}

const sortKey = (name: string): SortKey => ({
  field: name.replace(/^[-+]/, ""),
  desc: name.startsWith("-"),
})

function fieldIssues(schema: TSchema, parameter: string, field: string): InputIssue[] {
  const { types, known } = typesAt(schema, field)
  if (types) return []
  const near = nearest(field.split(".").at(-1)!, known)
  const hint = near ? ` Did you mean "${near}"?` : ""
  const message = `There is no field "${briefText(field)}" in these items.${hint}`
  return [
    { field: parameter, message, expected: near ?? known.join(", "), actual: briefText(field) },
  ]
}

function conditionIssues(schema: TSchema, { field, is, value }: Condition): InputIssue[] {
  const missing = fieldIssues(schema, "filter", field)
  const types = typesAt(schema, field).types
  if (missing.length > 0 || !types || types.size === 0) return missing
  const issue = (what: string, expected: string): InputIssue[] => [
    { field: "filter", message: `"${field}" is ${what}`, expected, actual: briefText(value) },
  ]
  if (is === "has" || is === "lacks") return []
  const isNumber = [...types].every((type) => type === "number" || type === "integer")
  if (isNumber && is === "~") return issue("a number, which holds no words.", `${field}=…`)
  if (isNumber && Number.isNaN(numberIn(value))) {
    return issue(`a number, not "${briefText(value)}".`, "a number")
  }
  const isFlag = [...types].every((type) => type === "boolean")
  const flags = value === "true" || value === "false"
  if (isFlag && !((is === "=" || is === "!=") && flags)) {
    return issue("true or false.", `${field}=true or ${field}=false`)
  }
  return []
}

/** The runs whose items are known. @throws ApiError 400, 404 */
async function hadRuns(
  { store }: CoreParts,
  since: string,
  accountId: string,
  runs: Of["runs"],
): Promise<Of["runs"]> {
  if (since !== "previous") {
    const run = await runOfDataset(store.db, { id: since, accountId })
    if (!run) throw notFound("dataset", since)
    return [run]
  }
  if (runs.length > 1) {
    const message = "Of several runs, none is the previous one; name a dataset."
    throw refused("since", message, "the id of a dataset")
  }
  const before = runs[0] && (await runBefore(store.db, runs[0].n))
  return before ? [before] : []
}

function requireFew(field: string, runs: Of["runs"], most: number): void {
  const count = runs.reduce((sum, run) => sum + run.item_count + run.error_count, 0)
  if (count <= most) return
  const message = `"${field}" takes up to ${most.toLocaleString("en")} items; these are ${count.toLocaleString("en")}.`
  throw refused(field, message, "a smaller dataset, or the items as they are")
}

const tooMany = (field: string, most: number) =>
  refused(field, `"${field}" takes at most ${most}.`, `up to ${most}`)

function refused(field: string, message: string, expected: string) {
  return invalid([{ field, message, expected }], "query")
}
