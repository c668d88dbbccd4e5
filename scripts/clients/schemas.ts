import { catalogue } from "../../src/catalogue/index.ts"
import { TestApp } from "../../test/api/app.ts"

/** A JSON schema of the OpenAPI document. */
export interface Schema {
  $ref?: string
  $id?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  type?: string | string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  description?: string
}

/** The objects of the API that the clients name. */
const named = [
  "Account",
  "Batch",
  "Dataset",
  "DatasetChange",
  "KeylessResult",
  "ListedRun",
  "ListedSchedule",
  "LogLine",
  "Monitor",
  "MonitorChanges",
  "NewDatasetLink",
  "Recipe",
  "Run",
  "RunEstimate",
  "RunTarget",
  "Schedule",
  "SiteMap",
]
/** The clients have their own types for these. */
const own = new Set(["ErrorItem"])

/** Returns the schemas of the API's objects, with those that they refer to, by name. */
export async function apiSchemas(): Promise<Record<string, Schema>> {
  const app = await TestApp.open({}, catalogue.slice(0, 1))
  try {
    const { body } = await app.get("/openapi.json")
    const all = body.components.schemas as Record<string, Schema>
    const found: Record<string, Schema> = {}
    const add = (name: string): void => {
      const schema = all[name]
      if (!schema) throw new Error(`The OpenAPI document has no schema ${name}.`)
      if (found[name] || own.has(name)) return
      found[name] = schema
      for (const [, other] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
        add(other!)
      }
    }
    for (const name of named) add(name)
    return Object.fromEntries(Object.entries(found).sort(([a], [b]) => a.localeCompare(b)))
  } finally {
    await app.close()
  }
}

/** Returns the alternatives of a schema: those of `anyOf`, or of a list of types. */
export function alternatives({ anyOf, type, ...rest }: Schema): Schema[] | undefined {
  if (anyOf) return anyOf
  return Array.isArray(type) ? type.map((one) => ({ ...rest, type: one })) : undefined
}

/** Returns the schema of the values of an object without named properties. */
export function valuesOf({ patternProperties, additionalProperties }: Schema): Schema {
  if (patternProperties) return { anyOf: Object.values(patternProperties) }
  return typeof additionalProperties === "object" ? additionalProperties : {}
}

export const refName = (ref: string) => ref.slice(ref.lastIndexOf("/") + 1)
