import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { keyed } from "../http/keyed.ts"
import { operation } from "../http/operation.ts"
import { answerObject } from "../schemas/common.ts"
import type { Service } from "../service.ts"
import { linksOf, linksSchema } from "./links.ts"

/** The root of the authenticated API, where `links.fullApi` leads. */
export function indexRoutes(service: Service): AnyElysia {
  return new Elysia().use(keyed(service)).get(
    "/api/v1",
    ({ root }) => {
      const links = linksOf(root)
      return { service: "Trawl", version: "v1", links }
    },
    {
      account: true,
      root: true,
      ...operation({
        id: "index",
        tag: "Service",
        summary: "The root of the authenticated API",
        replies: {
          200: {
            description: "Where to read on.",
            schema: answerObject(
              { service: Type.String(), version: Type.Literal("v1"), links: linksSchema },
              { $id: "Index" },
            ),
          },
        },
      }),
    },
  )
}
