import type { TSchema } from "@sinclair/typebox"
import type { AnyElysia } from "elysia"
import { type OperationObject, openApiDocument } from "../../src/api/docs/openapi.ts"
import { errorBodySchema } from "../../src/api/schemas/common.ts"

/** A route as the document describes it. */
export interface DescribedRoute {
  method: string
  path: string
  detail: OperationObject
  /** Returns the schema of a status and media type; undefined if it is not documented. */
  schemaOf(status: number, type: string): TSchema | undefined
}

interface Reported {
  "~standard": { jsonSchema: { output(): TSchema } }
}

export function describedRoutes(api: AnyElysia): DescribedRoute[] {
  const { paths } = openApiDocument(api, "http://trawl.test")
  // The document's own schemas are JSON; these are their TypeBox sources, which can be checked.
  const models = definitionsOf(api)
  return api.routes.flatMap(({ method, path, hooks }) => {
    const detail = paths[path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()]
    if (!detail) return []
    const schemaOf = (status: number, type: string) => {
      if (!detail.responses[String(status)]?.content?.[type]) return undefined
      const reported: Reported | string | undefined = hooks?.response?.[status]
      if (reported === undefined) return errorBodySchema
      return (typeof reported === "string" ? models[reported]! : reported)[
        "~standard"
      ].jsonSchema.output()
    }
    return [{ method, path, detail, schemaOf }]
  })
}

function definitionsOf(api: AnyElysia): Record<string, Reported> {
  return (api as unknown as { definitions: { type: Record<string, Reported> } }).definitions.type
}
