import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { daysOf, usageQuery, usageSchema } from "../schemas/usage.ts"
import type { AccessParts, ClientParts, CoreParts, ResultParts } from "../service-parts.ts"
import { namedAccount } from "./account-responses.ts"
import { adminPrefix } from "./prefix.ts"

/** Usage of all accounts. */
export function usageAdminRoutes(
  service: CoreParts & ClientParts & AccessParts & ResultParts,
): AnyElysia {
  const { db } = service.store
  const account = Type.Optional(
    Type.String({
      description: "Only this account, by ID or email; `keyless` for anonymous callers.",
    }),
  )
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({ Usage: responseSchema(usageSchema) })
    .get(
      "/usage",
      async ({ request, query: { by, scraper, key, account: name, ...requested } }) => {
        const days = daysOf(requested)
        const filter = {
          ...(name && { accountId: name === "keyless" ? "" : (await namedAccount(db, name)).id }),
          ...(scraper && { slug: scraper }),
          ...(key && { keyId: key }),
        }
        return service.lists.send(request, "owner", { name: "usage", with: { days, filter, by } })
      },
      {
        owner: true,
        query: requestSchema.query(usageQuery(["day", "account", "key", "scraper"], { account })),
        response: { 200: "Usage" },
        detail: operation({
          id: "adminUsage",
          tag: "Administration",
          summary: "Get the usage of all accounts by day, account, key and scraper",
          auth: "owner",
          replies: { 200: "The sums." },
          refusals: [400, 404],
        }),
      },
    )
}
