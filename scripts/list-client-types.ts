import { join } from "node:path"
import type { TSchema } from "@sinclair/typebox"
import { callerSchema } from "../src/api/http/json-schema.ts"
import { catalogue } from "../src/catalogue/index.ts"

/** Writes what each scraper takes and gives as TypeScript, for packages/client. */
export const clientTypesPath = join(import.meta.dir, "../packages/client/scrapers.ts")

export function clientTypes(): string {
  const scrapers = catalogue.map(
    ({ slug, tagline, input, item }) =>
      `  /** ${comment(tagline)} */\n  ${JSON.stringify(slug)}: {\n    input: ${typeOf(callerSchema(input), true)}\n    item: ${typeOf(item, false)}\n  }`,
  )
  return `// Written by scripts/list-client-types.ts from the schemas of the catalogue.

export interface Scrapers {
${scrapers.join("\n")}
}
`
}

const comment = (text: string) => text.replaceAll("*/", "* /").replace(/\s+/g, " ")

/** Described where a caller fills it in. */
function typeOf(schema: TSchema, described: boolean): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value: unknown) => JSON.stringify(value)).join(" | ")
  if (schema.anyOf) {
    return [...new Set(schema.anyOf.map((one: TSchema) => typeOf(one, described)))].join(" | ")
  }
  switch (schema.type) {
    case "object":
      return schema.patternProperties ? recordOf(schema, described) : objectOf(schema, described)
    case "array":
      return `Array<${typeOf(schema.items ?? {}, described)}>`
    case "integer":
    case "number":
      return "number"
    case "string":
    case "boolean":
    case "null":
      return schema.type
    default:
      return "unknown"
  }
}

function recordOf({ patternProperties }: TSchema, described: boolean): string {
  const values = Object.values(patternProperties as Record<string, TSchema>)
  return `Record<string, ${values.map((value) => typeOf(value, described)).join(" | ")}>`
}

function objectOf({ properties = {}, required = [] }: TSchema, described: boolean): string {
  const fields = Object.entries(properties as Record<string, TSchema>).map(([name, field]) => {
    const told = described && field.description ? `/** ${comment(field.description)} */ ` : ""
    const mark = required.includes(name) ? "" : "?"
    return `${told}${JSON.stringify(name)}${mark}: ${typeOf(field, described)}`
  })
  return fields.length === 0 ? "Record<string, unknown>" : `{ ${fields.join("; ")} }`
}

if (import.meta.main) await Bun.write(clientTypesPath, clientTypes())
