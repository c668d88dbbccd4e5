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

/** Maximum items to sort or deduplicate, because a key of each is held in memory. */
const maxSorted = 100_000
const maxUnique = 500_000
const maxConditions = 20
const maxFields = 3

const texts = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

export const choiceQuery = {
  filter: texts(
    'Condition that items must meet; repeat it to combine several with "and". A field (`offer.price`; for a list, any entry), an operator (`=`, `!=`, `<`, `<=`, `>`, `>=`, or `~` for containing words) and a value, for example `price<20`. Only a field (`error`): it must have a value; `!error`: it must have none.',
  ),
  sort: texts(
    `Comma-separated fields to sort by, \`-\` for descending order: \`-price,title\`. Items without a value come last. At most ${maxSorted.toLocaleString("en")} items.`,
  ),
  unique: texts(
    "Comma-separated fields that identify an item: only the first of several items with the same values is returned. Items without any of these fields are kept.",
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
  /** Schema of the items, if they are all of one scraper. */
  schema: TSchema | undefined
}

/** Reads filter conditions, whose fields must exist. @throws ApiError 400 */
export function conditionsIn(filter: readonly string[], schema: TSchema | undefined): Condition[] {
  const conditions = filter.map(condition)
  if (conditions.length > maxConditions) throw tooMany("filter", maxConditions)
  const issues = schema ? conditions.flatMap((one) => conditionIssues(schema, one)) : []
  if (issues.length > 0) throw invalid(issues.slice(0, maxIssues), "query")
  return conditions
}

/**
 * Reads filter, order and deduplication. Returns undefined for all items unchanged. @throws
 * ApiError 400, 404
 */
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
    const message = '"since" requires "unique": the fields that identify an item.'
    throw refused("since", message, "unique=url, or another field that identifies an item")
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

/** Returns issues with the fields that identify items. */
export function uniqueIssues(schema: TSchema, names: string[]): InputIssue[] {
  if (names.length <= maxFields) {
    return names.flatMap((name) => fieldIssues(schema, "uniqueBy", name)).slice(0, maxIssues)
  }
  const message = `"uniqueBy" takes at most ${maxFields}.`
  return [{ field: "uniqueBy", message, expected: `up to ${maxFields}` }]
}

/** Names, repeated or comma-separated. */
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
    const message = `"${briefText(text)}" is not a valid filter.`
    throw refused("filter", message, "for example price<20, title~words, error or !error")
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
  const names = `${known.slice(0, 12).join(", ")}${known.length > 12 ? " …" : ""}`
  const hint = near ? `Did you mean "${near}"?` : `They have ${names}.`
  const message = `There is no field "${briefText(field)}" in these items. ${hint}`
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
  if (isNumber && is === "~") return issue('a number: "~" applies only to text.', `${field}=…`)
  if (isNumber && Number.isNaN(numberIn(value))) {
    return issue(`a number, not "${briefText(value)}".`, "a number")
  }
  const isFlag = [...types].every((type) => type === "boolean")
  const flags = value === "true" || value === "false"
  if (isFlag && !((is === "=" || is === "!=") && flags)) {
    return issue(
      "a boolean: only = and != with true or false apply.",
      `${field}=true or ${field}=false`,
    )
  }
  return []
}

/** The earlier runs whose items are excluded. @throws ApiError 400, 404 */
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
    const message = 'Several runs have no common previous run; set "since" to a dataset ID.'
    throw refused("since", message, "a dataset ID")
  }
  const before = runs[0] && (await runBefore(store.db, runs[0].n))
  return before ? [before] : []
}

function requireFew(field: string, runs: Of["runs"], max: number): void {
  const count = runs.reduce((sum, run) => sum + run.item_count + run.error_count, 0)
  if (count <= max) return
  const message = `"${field}" works on at most ${max.toLocaleString("en")} items; these are ${count.toLocaleString("en")}.`
  throw refused(field, message, "a smaller dataset, or a call without this parameter")
}

const tooMany = (field: string, max: number) =>
  refused(field, `"${field}" takes at most ${max}.`, `up to ${max}`)

function refused(field: string, message: string, expected: string) {
  return invalid([{ field, message, expected }], "query")
}
