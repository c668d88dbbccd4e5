import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { freshKey } from "../../accounts/keys.ts"
import { changedLimits } from "../../accounts/limits.ts"
import { listAccounts } from "../../store/accounts/accounts.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import {
  cursorListed,
  cursorListOf,
  cursorQuery,
  cursors,
  maybe,
  query,
  responseObject,
} from "../schemas/common.ts"
import type { AccessParts, ClientParts, CoreParts, RunParts } from "../service-parts.ts"
import { deleteAccount } from "../sign-up/deletion.ts"
import { credentials } from "../sign-up/entry.ts"
import {
  accountParameter,
  adminAccount,
  adminAccountSchema,
  adminAccounts,
  namedAccount,
  roleSchema,
} from "./account-responses.ts"
import { adminPrefix } from "./prefix.ts"

const newAccountSchema = Type.Object(
  {
    email: credentials.email,
    password: Type.Optional(credentials.password),
    role: Type.Optional(roleSchema),
    unlimited: Type.Optional(Type.Boolean({ description: "Whether its runs cost no credits." })),
    credits: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "Initial credits. Default: the credits of a sign-up.",
      }),
    ),
  },
  { additionalProperties: false },
)

const changeSchema = Type.Object(
  {
    role: Type.Optional(roleSchema),
    locked: Type.Optional(
      Type.Boolean({
        description:
          "Locks the account: its keys are refused, its browsers signed out, its links closed and its schedules paused.",
      }),
    ),
    unlimited: Type.Optional(Type.Boolean({ description: "Whether its runs cost no credits." })),
    limits: Type.Optional(
      Type.Object(
        {
          callsPerMinute: Type.Optional(
            maybe(
              Type.Integer({
                minimum: 0,
                description: "Maximum calls per minute of each API key; 0 means no limit.",
              }),
            ),
          ),
          runsAtOnce: Type.Optional(
            maybe(Type.Integer({ minimum: 1, description: "Maximum runs at the same time." })),
          ),
        },
        {
          additionalProperties: false,
          description: "Limits of this account. Null restores the limit of the settings.",
        },
      ),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)

const creditSchema = Type.Object(
  {
    amount: Type.Integer({ description: "Credits to add; a negative number subtracts." }),
    note: Type.Optional(Type.String({ maxLength: 200, description: "Note for the ledger." })),
  },
  { additionalProperties: false },
)

const madeSchema = responseObject(
  {
    account: adminAccountSchema,
    apiKey: Type.String({ description: "First API key of the account. It is returned only once." }),
  },
  { $id: "AdminNewAccount" },
)

const emailExample = "ada@example.com"

/** The accounts of the service. */
export function accountAdminRoutes(
  service: CoreParts & ClientParts & AccessParts & RunParts,
): AnyElysia {
  const { store, accounts } = service
  const { db } = store
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({
      AdminAccount: responseSchema(adminAccountSchema),
      AdminAccountList: responseSchema(cursorListOf(adminAccountSchema, "AdminAccountList")),
      AdminNewAccount: responseSchema(madeSchema),
    })
    .get(
      "/accounts",
      async ({ query: { role, search, ...page } }) => {
        const filter = { ...(role && { role }), ...(search && { search }) }
        const accounts = await listAccounts(db, page, filter)
        return cursorListed(accounts, await adminAccounts(db, accounts.rows), page)
      },
      {
        owner: true,
        query: requestSchema.query(
          query({
            ...cursorQuery(cursors.id("acc")),
            role: Type.Optional(roleSchema),
            search: Type.Optional(
              Type.String({ maxLength: 254, description: "Part of the email address." }),
            ),
          }),
        ),
        response: { 200: "AdminAccountList" },
        detail: operation({
          id: "adminListAccounts",
          tag: "Administration",
          summary: "List all accounts, newest first",
          auth: "owner",
          replies: { 200: "The accounts." },
          refusals: [400],
        }),
      },
    )
    .post(
      "/accounts",
      async ({ body, set, root }) => {
        const unlimited = body.unlimited ?? body.role === "owner"
        const account = await accounts.create({
          ...body,
          unlimited,
          password: body.password ?? null,
        })
        if (!account)
          throw new ApiError(
            409,
            `${body.email} already has an account. Change that account instead.`,
          )
        const { apiKey, row } = freshKey("First key", new Date())
        await store.write("keys.create", { ...row, accountId: account.id })
        set.status = 201
        set.headers.location = `${root}${adminPrefix}/accounts/${account.id}`
        set.headers["cache-control"] = "no-store"
        return { account: await adminAccount(db, account), apiKey }
      },
      {
        owner: true,
        root: true,
        ownerJson: true,
        body: requestSchema.body(newAccountSchema),
        response: { 201: "AdminNewAccount" },
        detail: operation({
          id: "adminCreateAccount",
          tag: "Administration",
          summary: "Create an account and an API key",
          auth: "owner",
          examples: { member: { value: { email: emailExample } } },
          replies: { 201: "The account and its API key." },
          refusals: [409],
        }),
      },
    )
    .get(
      "/accounts/:accountId",
      async ({ params }) => adminAccount(db, await namedAccount(db, params.accountId)),
      {
        owner: true,
        params: requestSchema.params({ accountId: accountParameter }),
        response: { 200: "AdminAccount" },
        detail: operation({
          id: "adminGetAccount",
          tag: "Administration",
          summary: "One account",
          auth: "owner",
          replies: { 200: "The account." },
          refusals: [404],
        }),
      },
    )
    .patch(
      "/accounts/:accountId",
      async ({ params, body: { locked, limits, ...change } }) => {
        const { id, limits: before } = await namedAccount(db, params.accountId)
        const changed = await store.write("accounts.change", {
          id,
          ...change,
          ...(limits && { limits: changedLimits(before, limits) }),
          ...(locked !== undefined && { lockedAt: locked ? new Date().toISOString() : null }),
        })
        if (!changed) throw notFound("account", id)
        if (changed === "last_owner") {
          throw new ApiError(
            409,
            "This is the last administrator; make another account an administrator first.",
          )
        }
        service.keys.forget()
        service.limits.changed(id, changed.limits)
        return adminAccount(db, changed)
      },
      {
        owner: true,
        ownerJson: true,
        params: requestSchema.params({ accountId: accountParameter }),
        body: requestSchema.body(changeSchema),
        response: { 200: "AdminAccount" },
        detail: operation({
          id: "adminChangeAccount",
          tag: "Administration",
          summary: "Change an account: lock, limits, role, credits",
          auth: "owner",
          examples: {
            lock: { value: { locked: true } },
            owner: { value: { role: "owner", unlimited: true } },
            limits: { value: { limits: { runsAtOnce: 2, callsPerMinute: 60 } } },
          },
          replies: { 200: "The changed account." },
          refusals: [404, 409],
        }),
      },
    )
    .delete(
      "/accounts/:accountId",
      async ({ params, set }) => {
        await deleteAccount(service, (await namedAccount(db, params.accountId)).id)
        set.status = 204
      },
      {
        owner: true,
        params: requestSchema.params({ accountId: accountParameter }),
        detail: operation({
          id: "adminDeleteAccount",
          tag: "Administration",
          summary: "Delete an account with its keys, runs and items",
          auth: "owner",
          replies: { 204: "Deleted." },
          refusals: [404, 409],
        }),
      },
    )
    .post(
      "/accounts/:accountId/credits",
      async ({ params, body: { amount, note } }) => {
        const account = await namedAccount(db, params.accountId)
        if (account.balance + amount < 0) {
          throw new ApiError(
            409,
            `The account has only ${account.balance} credits; remove at most that many.`,
          )
        }
        await store.write("credits.add", {
          accountId: account.id,
          amount,
          reason: "grant",
          note: note ?? null,
          at: new Date().toISOString(),
        })
        return adminAccount(db, await namedAccount(db, account.id))
      },
      {
        owner: true,
        ownerJson: true,
        params: requestSchema.params({ accountId: accountParameter }),
        body: requestSchema.body(creditSchema),
        response: { 200: "AdminAccount" },
        detail: operation({
          id: "adminAddCredits",
          tag: "Administration",
          summary: "Add or subtract credits of an account",
          auth: "owner",
          examples: { grant: { value: { amount: 500, note: "March" } } },
          replies: { 200: "The account with its new balance." },
          refusals: [404, 409],
        }),
      },
    )
}
