import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { freshKey } from "../../accounts/keys.ts"
import { type KeyRow, keyById, listKeys } from "../../store/accounts/keys.ts"
import { callContext } from "../http/context.ts"
import { gives, takes } from "../http/contract.ts"
import { notFound, requireRoom } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import {
  answerObject,
  cursorListed,
  cursorListOf,
  cursorQuery,
  cursors,
  maybe,
  pathId,
  query,
  time,
} from "../schemas/common.ts"
import type { Service } from "../service.ts"
import { idempotencyHeader } from "./start-runs.ts"

const key = {
  id: Type.String({ description: "`key_…`" }),
  name: Type.String(),
  hint: Type.String({ description: "The key with its middle left out." }),
  createdAt: time("When it was made."),
  lastUsedAt: maybe(time("When it was last used, to the minute.")),
}
const keySchema = answerObject(key, { $id: "Key" })
const newKeySchema = answerObject(
  {
    ...key,
    apiKey: Type.Optional(
      Type.String({
        description: "The key itself: shown here once, and not when the call is repeated.",
      }),
    ),
  },
  { $id: "NewKey" },
)

const mostKeys = 100

const bodySchema = Type.Object(
  { name: Type.String({ default: "API key", minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
)

/** The account's API keys. */
export function keyRoutes(service: Service): AnyElysia {
  const { store, idempotency } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ KeyList: gives(cursorListOf(keySchema, "KeyList")), NewKey: gives(newKeySchema) })
    .get(
      "/keys",
      async ({ accountId, query: page }) => {
        const found = await listKeys(store.db, accountId, page)
        return cursorListed(found, found.rows.map(keyAnswer), page)
      },
      {
        account: true,
        query: takes.query(query(cursorQuery(cursors.id("key")))),
        response: { 200: "KeyList" },
        detail: operation({
          id: "listKeys",
          tag: "Account",
          summary: "The live keys, the newest first",
          replies: { 200: "The keys." },
          refusals: [400],
        }),
      },
    )
    .post(
      "/keys",
      async ({ accountId, request, set, body, root }) => {
        set.headers["cache-control"] = "no-store"
        return idempotency.answer(
          { request, accountId, prefix: "key", list: `${root}/api/v1/keys` },
          async (id, repeated) => {
            const known = repeated ? await keyById(store.db, { id, accountId }) : undefined
            if (known) return { status: 201, body: keyAnswer(known) }
            const standing = await listKeys(store.db, accountId, { limit: 1, offset: 0 })
            requireRoom(standing.total, mostKeys, "keys")
            const { apiKey, row } = freshKey(body.name, new Date(), id)
            const answer = keyAnswer(await store.write("keys.create", { ...row, accountId }))
            return { status: 201, body: { ...answer, apiKey }, repeatedBody: answer }
          },
        )
      },
      {
        account: true,
        root: true,
        headers: takes.headers(idempotencyHeader),
        json: true,
        body: takes.body(bodySchema),
        response: { 201: "NewKey" },
        detail: operation({
          id: "createKey",
          tag: "Account",
          summary: "Make a key; it is shown in this answer only",
          examples: { named: { value: { name: "Laptop" } } },
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
        if (!revoked) throw notFound("key")
        service.keys.forget()
        set.status = 204
      },
      {
        account: true,
        params: takes.params({ keyId: pathId("key", "key") }),
        detail: operation({
          id: "revokeKey",
          tag: "Account",
          summary: "Revoke a key; it is refused from now on",
          replies: { 204: "Revoked." },
          refusals: [403, 404],
        }),
      },
    )
}

function keyAnswer(row: KeyRow) {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }
}
