import { type AnyElysia, Elysia } from "elysia"
import { freshKey } from "../../accounts/keys.ts"
import { listKeys } from "../../store/accounts/keys.ts"
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
import type { AccessParts, ClientParts, CoreParts } from "../service-parts.ts"
import { maxKeys } from "../v1/keys.ts"
import { accountParameter, namedAccount } from "./account-responses.ts"
import { adminPrefix } from "./prefix.ts"

/** API keys of any account. */
export function keyAdminRoutes(service: CoreParts & ClientParts & AccessParts): AnyElysia {
  const { store } = service
  const { db } = store
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({
      KeyList: responseSchema(cursorListOf(keySchema, "KeyList")),
      NewKey: responseSchema(newKeySchema),
    })
    .get(
      "/accounts/:accountId/keys",
      async ({ params, query: page }) => {
        const { id } = await namedAccount(db, params.accountId)
        const keys = await listKeys(db, id, page)
        return cursorListed(keys, keys.rows.map(keyResponse), page)
      },
      {
        owner: true,
        params: requestSchema.params({ accountId: accountParameter }),
        query: requestSchema.query(query(cursorQuery(cursors.id("key")))),
        response: { 200: "KeyList" },
        detail: operation({
          id: "adminListKeys",
          tag: "Administration",
          summary: "List the API keys of an account, newest first",
          auth: "owner",
          replies: { 200: "The keys." },
          refusals: [400, 404],
        }),
      },
    )
    .post(
      "/accounts/:accountId/keys",
      async ({ params, body, set }) => {
        const { id: accountId, role } = await namedAccount(db, params.accountId)
        if (body.scopes?.includes("admin") && role !== "owner") {
          throw new ApiError(409, 'Only an administrator\'s key may have the scope "admin".')
        }
        const { total } = await listKeys(db, accountId, { limit: 1, offset: 0 })
        requireBelowLimit(total, maxKeys, "keys")
        const { apiKey, row } = freshKey(body.name, new Date(), undefined, termsOf(body))
        set.status = 201
        set.headers["cache-control"] = "no-store"
        return { ...keyResponse(await store.write("keys.create", { ...row, accountId })), apiKey }
      },
      {
        owner: true,
        ownerJson: true,
        params: requestSchema.params({ accountId: accountParameter }),
        body: requestSchema.body(newKeyBody),
        response: { 201: "NewKey" },
        detail: operation({
          id: "adminCreateKey",
          tag: "Administration",
          summary: "Create an API key for an account; it is returned only once",
          auth: "owner",
          examples: { limited: { value: { name: "Nightly job", creditLimit: 1000 } } },
          replies: { 201: "The key." },
          refusals: [404, 409],
        }),
      },
    )
    .delete(
      "/keys/:keyId",
      async ({ params, set }) => {
        const at = new Date().toISOString()
        if (!(await store.write("keys.revoke", { id: params.keyId, at })))
          throw notFound("key", params.keyId)
        service.keys.forget()
        set.status = 204
      },
      {
        owner: true,
        params: requestSchema.params({ keyId: pathId("key", "key") }),
        detail: operation({
          id: "adminRevokeKey",
          tag: "Administration",
          summary: "Revoke an API key of any account",
          auth: "owner",
          replies: { 204: "Revoked." },
          refusals: [404],
        }),
      },
    )
}
