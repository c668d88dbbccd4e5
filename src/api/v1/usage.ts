import { type AnyElysia, Elysia } from "elysia"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { daysOf, usageQuery, usageSchema } from "../schemas/usage.ts"
import type { AccessParts, ClientParts, ResultParts } from "../service-parts.ts"

/** Usage of the account. */
export function usageRoutes(service: ClientParts & AccessParts & ResultParts): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ Usage: responseSchema(usageSchema) })
    .get(
      "/usage",
      ({ accountId, request, query: { by, scraper, key, ...requested } }) => {
        const filter = {
          accountId,
          ...(scraper && { slug: scraper }),
          ...(key && { keyId: key }),
        }
        const named = { name: "usage" as const, with: { days: daysOf(requested), filter, by } }
        return service.lists.send(request, accountId, named)
      },
      {
        account: true,
        query: requestSchema.query(usageQuery(["day", "key", "scraper"], {})),
        response: { 200: "Usage" },
        detail: operation({
          id: "getUsage",
          tag: "Account",
          summary: "Get the account's usage by day, key and scraper",
          replies: { 200: "The sums." },
          refusals: [400],
        }),
      },
    )
}
