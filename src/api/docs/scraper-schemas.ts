import type { TSchema } from "@sinclair/typebox"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { markedItem } from "../../catalogue/verification.ts"
import { exampleOf } from "../examples/examples.ts"
import { callerSchema } from "../http/json-schema.ts"
import type { OpenApiDocument, OperationObject } from "./openapi.ts"

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/**
 * The document with the input and item schemas of these scrapers: `Input.<slug>` and `Item.<slug>`
 * among the components, referenced instead of "any object". All 151 take several megabytes, so they
 * are added only on request.
 */
export function withScrapers(
  document: OpenApiDocument,
  scrapers: readonly AnyScraper[],
): OpenApiDocument {
  const slugs = scrapers.map(({ slug }) => slug)
  const input = oneOf(slugs.map((slug) => reference(`Input.${slug}`)))
  const items = oneOf(slugs.map((slug) => reference(`Item.${slug}`)))
  const { schemas } = document.components
  return {
    ...document,
    paths: pathsWith(document.paths, { slugs, input }),
    components: {
      ...document.components,
      schemas: {
        ...schemas,
        Items: withProperty(schemas.Items as TSchema, "items", { type: "array", items }),
        ...Object.fromEntries(scrapers.flatMap(schemasOf)),
      },
    },
  }
}

function schemasOf(scraper: AnyScraper): [string, object][] {
  const { slug, input } = scraper
  const item = markedItem(scraper)
  const example = exampleOf(slug)
  const visible = (value: unknown) => (example ? { examples: [value] } : {})
  return [
    [`Input.${slug}`, { ...callerSchema(input), ...visible(example?.input) }],
    [`Item.${slug}`, { anyOf: [{ ...item, ...visible(example?.item) }, reference("ErrorItem")] }],
  ]
}

function oneOf(schemas: object[]): object {
  return schemas.length === 1 ? schemas[0]! : { anyOf: schemas }
}

const withProperty = (schema: TSchema, name: string, property: object) => ({
  ...schema,
  properties: { ...schema.properties, [name]: property },
})

function pathsWith(
  paths: OpenApiDocument["paths"],
  known: { slugs: string[]; input: object },
): OpenApiDocument["paths"] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [method, narrowed(operation, known)]),
      ),
    ]),
  )
}

/** The operation, limited to these scrapers. */
function narrowed(
  operation: OperationObject,
  { slugs, input }: { slugs: string[]; input: object },
): OperationObject {
  const parameters = operation.parameters.map((parameter) => {
    if (parameter.name === "parameters") return { ...parameter, schema: input as never }
    const hasSlug = parameter.in === "path" && Array.isArray(parameter.schema.enum)
    return hasSlug ? { ...parameter, schema: { ...parameter.schema, enum: slugs } } : parameter
  })
  const media = operation.requestBody?.content["application/json"]
  if (!media || !["startRun", "agentScrape"].includes(operation.operationId)) {
    return { ...operation, parameters }
  }
  const examples = Object.fromEntries(
    Object.entries(media.examples ?? {}).filter(([slug]) => slugs.includes(slug)),
  )
  const body = media.schema as TSchema
  const schema =
    operation.operationId === "startRun"
      ? input
      : withProperty(withProperty(body, "input", input) as unknown as TSchema, "scraper", {
          ...body.properties.scraper,
          enum: slugs,
        })
  const content = { "application/json": { schema, examples } }
  return { ...operation, parameters, requestBody: { required: true, content } }
}
