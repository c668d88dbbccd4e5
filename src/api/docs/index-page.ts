import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { linksOf, linksSchema } from "../examples/links.ts"
import { callContext } from "../http/context.ts"
import { responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { responseObject } from "../schemas/common.ts"
import type { AccessParts, ClientParts } from "../service-parts.ts"

/** The root of the authenticated API, linked as `links.fullApi`. */
export function indexRoutes(service: ClientParts & AccessParts): AnyElysia {
  return new Elysia()
    .use(callContext(service))
    .model({
      Index: responseSchema(
        responseObject(
          { service: Type.String(), version: Type.Literal("v1"), links: linksSchema },
          { $id: "Index" },
        ),
      ),
    })
    .get(
      "/api/v1",
      ({ root }) => {
        const links = linksOf(root)
        return { service: "Trawl", version: "v1", links }
      },
      {
        account: true,
        root: true,
        response: { 200: "Index" },
        detail: operation({
          id: "index",
          tag: "Service",
          summary: "Get links of the authenticated API",
          replies: { 200: "Links to the documentation." },
        }),
      },
    )
}
