import { type AnyElysia, Elysia } from "elysia"
import { freshKey, type Scope } from "../../accounts/keys.ts"
import { keyById, listKeys } from "../../store/accounts/keys.ts"
import { callerOf } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, notFound, requireBelowLimit } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import {
  cursorListed,
  cursorListOf,
  cursorQuery,
  cursors,
  pathId,
  query,
} from "../schemas/common.ts"
import { keyResponse, keySchema, newKeyBody, newKeySchema, termsOf } from "../schemas/key.ts"
import type { AccessParts, ClientParts, CoreParts, RunParts } from "../service-parts.ts"
import { idempotencyHeader } from "./start-runs.ts"

export const maxKeys = 100

/** Only an administrator may create a key for administration. @throws ApiError 403 */
function requireScopes(request: Request, scopes: readonly Scope[] = []): void {
  if (scopes.includes("admin") && callerOf(request).role !== "owner") {
    throw new ApiError(403, 'Only an administrator\'s key may have the scope "admin".')
  }
}

/** The account's API keys. */
export function keyRoutes(service: CoreParts & ClientParts & AccessParts & RunParts): AnyElysia {
  const { store, idempotency } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      KeyList: responseSchema(cursorListOf(keySchema, "KeyList")),
      NewKey: responseSchema(newKeySchema),
    })
    .get(
      "/keys",
      async ({ accountId, query: page }) => {
        const keys = await listKeys(store.db, accountId, page)
        return cursorListed(keys, keys.rows.map(keyResponse), page)
      },
      {
        account: true,
        query: requestSchema.query(query(cursorQuery(cursors.id("key")))),
        response: { 200: "KeyList" },
        detail: operation({
          id: "listKeys",
          tag: "Account",
          summary: "List the API keys, newest first",
          replies: { 200: "The keys." },
          refusals: [400],
        }),
      },
    )
    .post(
      "/keys",
      async ({ accountId, request, set, body, root }) => {
        set.headers["cache-control"] = "no-store"
        requireScopes(request, body.scopes)
        const terms = termsOf(body)
        return idempotency.response(
          { request, accountId, prefix: "key", list: `${root}/api/v1/keys` },
          async (id, repeated) => {
            const known = repeated ? await keyById(store.db, { id, accountId }) : undefined
            if (known) return { status: 201, body: keyResponse(known) }
            const existing = await listKeys(store.db, accountId, { limit: 1, offset: 0 })
            requireBelowLimit(existing.total, maxKeys, "keys")
            const { apiKey, row } = freshKey(body.name, new Date(), id, terms)
            const reply = keyResponse(await store.write("keys.create", { ...row, accountId }))
            return { status: 201, body: { ...reply, apiKey }, repeatedBody: reply }
          },
        )
      },
      {
        account: true,
        fullKey: true,
        root: true,
        headers: requestSchema.headers(idempotencyHeader),
        json: true,
        body: requestSchema.body(newKeyBody),
        response: { 201: "NewKey" },
        detail: operation({
          id: "createKey",
          tag: "Account",
          summary: "Create an API key; it is returned only once",
          description:
            "A key without limits may do what its account may, except administration. A key with limited scopes, lifetime or credits cannot create keys, schedules or webhooks.",
          examples: {
            named: { value: { name: "Laptop" } },
            limited: {
              value: {
                name: "Agent",
                scopes: ["run", "read"],
                expiresAt: "2031-01-31T12:00:00Z",
                creditLimit: 100,
              },
            },
          },
          replies: { 201: "The key." },
          refusals: [403, 409, 422],
        }),
      },
    )
    .delete(
      "/keys/:keyId",
      async ({ accountId, params, set }) => {
        const at = new Date().toISOString()
        const revoked = await store.write("keys.revoke", { id: params.keyId, accountId, at })
        if (!revoked) throw notFound("key", params.keyId)
        service.keys.forget()
        set.status = 204
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params({ keyId: pathId("key", "key") }),
        detail: operation({
          id: "revokeKey",
          tag: "Account",
          summary: "Revoke an API key",
          replies: { 204: "Revoked." },
          refusals: [403, 404],
        }),
      },
    )
}
