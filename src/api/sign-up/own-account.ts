import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import type { AccountRow } from "../../store/accounts/accounts.ts"
import { sessionToken, signedIn } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import type { Call } from "../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ResultParts,
  RunParts,
  SignUpParts,
} from "../service-parts.ts"
import { deleteAccount } from "./deletion.ts"
import { credentials, endSession } from "./entry.ts"
import { passwordJson } from "./password-calls.ts"

const oldPassword = Type.String({
  maxLength: 200,
  writeOnly: true,
  description: "Current password.",
})

const passwordSchema = Type.Object(
  { password: oldPassword, newPassword: credentials.password },
  { additionalProperties: false },
)
const deletionSchema = Type.Object({ password: oldPassword }, { additionalProperties: false })

/** Account settings of a signed-in user. API keys have no access. */
export function ownAccountRoutes(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & RunParts & ResultParts,
): AnyElysia {
  const { accounts } = service
  return new Elysia({ prefix: "/api" })
    .use(callContext(service))
    .use(passwordJson(service))
    .post(
      "/account/password",
      async ({ call, body, set }) => {
        const account = await confirmed(service, call, body.password)
        await accounts.setPassword(account.id, body.newPassword, sessionToken(call.request))
        set.status = 204
      },
      {
        call: true,
        door: true,
        body: requestSchema.body(passwordSchema),
        detail: operation({
          id: "changePassword",
          tag: "Account",
          summary: "Change the password and sign out other browsers",
          auth: "session",
          examples: {
            change: {
              value: { password: "correct horse battery", newPassword: "a better one, by far" },
            },
          },
          replies: { 204: "Changed." },
          refusals: [400, 403],
        }),
      },
    )
    .delete(
      "/sessions",
      async ({ call, set }) => {
        const account = await requireSignedIn(service, call)
        await service.store.write("sessions.endAll", { accountId: account.id })
        await endSession(service, call)
        set.status = 204
      },
      {
        call: true,
        detail: operation({
          id: "signOutEverywhere",
          tag: "Account",
          summary: "Sign out in every browser, including this one",
          auth: "session",
          replies: { 204: "Signed out." },
          refusals: [403],
        }),
      },
    )
    .get(
      "/account/export",
      async ({ call, request, root }) => {
        const { id } = await requireSignedIn(service, call)
        const requested = { name: "account", with: { accountId: id, root } } as const
        return service.exports.send(request, id, requested, {
          "content-type": "application/jsonl",
          "content-disposition": 'attachment; filename="trawl-account.jsonl"',
          "cache-control": "no-store",
        })
      },
      {
        call: true,
        root: true,
        response: { 200: responseSchema(Type.String()) },
        detail: operation({
          id: "exportAccount",
          tag: "Account",
          summary: "Export all data of the account as JSON Lines",
          auth: "session",
          replies: {
            200: {
              description: "Each line has a `type`; the items of a run follow it.",
              types: ["application/jsonl"],
            },
          },
        }),
      },
    )
    .delete(
      "/account",
      async ({ call, body, set }) => {
        const account = await confirmed(service, call, body.password)
        await deleteAccount(service, account.id)
        await endSession(service, call)
        set.status = 204
      },
      {
        call: true,
        door: true,
        body: requestSchema.body(deletionSchema),
        detail: operation({
          id: "deleteAccount",
          tag: "Account",
          summary: "Delete the account with its keys, runs and items",
          auth: "session",
          examples: { sure: { value: { password: "correct horse battery" } } },
          replies: { 204: "Deleted." },
          refusals: [400, 403, 409],
        }),
      },
    )
}

/** @throws ApiError 401, 403 */
async function requireSignedIn(
  service: ClientParts & AccessParts,
  call: Call,
): Promise<AccountRow> {
  const account = await signedIn(service, call)
  if (!account) throw new ApiError(401, "You are not signed in. Sign in first.")
  return account
}

/** Returns the signed-in account after checking its password. @throws ApiError 401, 403, 429 */
async function confirmed(
  service: ClientParts & AccessParts & SignUpParts,
  call: Call,
  password: string,
): Promise<AccountRow> {
  const account = await requireSignedIn(service, call)
  const { accounts, guesses } = service
  const fits = await guesses.attempt(
    account.email ?? account.id,
    service.callerKey(call),
    async () => ((await accounts.passwordFits(account, password)) ? true : undefined),
  )
  if (!fits)
    throw new ApiError(403, "The password is wrong. Enter the current password of this account.")
  return account
}
