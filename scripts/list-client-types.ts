import { join } from "node:path"
import type { TSchema } from "@sinclair/typebox"
import ts from "typescript5"
import { callerSchema } from "../src/api/http/json-schema.ts"
import { catalogue } from "../src/catalogue/index.ts"

const folder = join(import.meta.dir, "../packages/client")

/**
 * Returns the files of packages/client that are made from others, by their paths: what each scraper takes
 * and gives, and the client as JavaScript with its types, which Node.js runs as it is.
 */
export async function clientFiles(): Promise<Record<string, string>> {
  const source = await Bun.file(join(folder, "index.ts")).text()
  const options = {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      isolatedDeclarations: true,
      strict: true,
    },
    fileName: "index.ts",
    reportDiagnostics: true,
  }
  const types = ts.transpileDeclaration(source, options)
  const [issue] = types.diagnostics ?? []
  if (issue) throw new Error(ts.flattenDiagnosticMessageText(issue.messageText, " "))
  const made = "// Written by scripts/list-client-types.ts from index.ts.\n"
  return {
    [join(folder, "scrapers.d.ts")]: clientTypes(),
    [join(folder, "index.js")]: made + ts.transpileModule(source, options).outputText,
    [join(folder, "index.d.ts")]: made + types.outputText,
  }
}

function clientTypes(): string {
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
    const reported = described && field.description ? `/** ${comment(field.description)} */ ` : ""
    const mark = required.includes(name) ? "" : "?"
    return `${reported}${JSON.stringify(name)}${mark}: ${typeOf(field, described)}`
  })
  return fields.length === 0 ? "Record<string, unknown>" : `{ ${fields.join("; ")} }`
}

if (import.meta.main) {
  for (const [path, text] of Object.entries(await clientFiles())) await Bun.write(path, text)
}
