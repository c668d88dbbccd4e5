import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { type AccountRow, accountById } from "../../store/accounts/accounts.ts"
import { usageSince } from "../../store/accounts/usage.ts"
import type { Db } from "../../store/db/database.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import {
  cursorListOf,
  cursorQuery,
  cursors,
  maybe,
  query,
  responseObject,
  time,
} from "../schemas/common.ts"
import type { AccessParts, ClientParts, CoreParts, ResultParts } from "../service-parts.ts"

export const accountSchema = responseObject(
  {
    id: Type.String({ description: "`acc_…`" }),
    email: maybe(Type.String()),
    plan: oneOf(["free", "unlimited"]),
    credits: responseObject({
      balance: Type.Integer(),
      unlimited: Type.Boolean(),
    }),
    usage: responseObject(
      {
        today: Type.Integer({ description: "Credits used today (UTC)." }),
        thisMonth: Type.Integer({ description: "Credits used this month (UTC)." }),
        byScraper: Type.Array(
          responseObject({
            scraper: Type.String(),
            credits: Type.Integer(),
            pages: Type.Integer(),
          }),
          { description: "Scrapers used this month, largest first." },
        ),
      },
      { description: "Usage of the account." },
    ),
    createdAt: time("Time of creation."),
  },
  { $id: "Account" },
)

const ledgerSchema = responseObject(
  {
    at: time("Time of the change."),
    amount: Type.Integer({ description: "Credits added; negative if subtracted." }),
    reason: oneOf(["sign_up", "grant", "run"]),
    runId: maybe(Type.String()),
    note: maybe(Type.String()),
  },
  { $id: "LedgerEntry" },
)

/** The account, its credits and its ledger. */
export function meRoutes(service: CoreParts & ClientParts & AccessParts & ResultParts): AnyElysia {
  const { db } = service.store
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      Account: responseSchema(accountSchema),
      Ledger: responseSchema(cursorListOf(ledgerSchema, "Ledger")),
    })
    .get(
      "/me",
      async ({ accountId }) => {
        const account = await accountById(db, accountId)
        if (!account) throw notFound("account", accountId)
        return accountResponse(db, account)
      },
      {
        account: true,
        response: { 200: "Account" },
        detail: operation({
          id: "getMe",
          tag: "Account",
          summary: "Get the account's credits and usage",
          replies: {
            200: {
              description: "The account.",
              example: {
                id: "acc_0198c0ffee7a7b3c9d4e5f6a7b8c9d0e",
                email: "ada@example.com",
                plan: "free",
                credits: { balance: 187, unlimited: false },
                usage: {
                  today: 2,
                  thisMonth: 13,
                  byScraper: [
                    {
                      scraper: "pypi-package-scraper",
                      credits: 13,
                      pages: 13,
                    },
                  ],
                },
                createdAt: "2026-01-31T12:00:00.000Z",
              },
            },
          },
        }),
      },
    )
    .get(
      "/me/ledger",
      ({ accountId, request, query: page }) => {
        return service.lists.send(request, accountId, { name: "ledger", with: { accountId, page } })
      },
      {
        account: true,
        query: requestSchema.query(query(cursorQuery(cursors.number))),
        response: { 200: "Ledger" },
        detail: operation({
          id: "listLedger",
          tag: "Account",
          summary: "List added and subtracted credits, newest first; their sum is the balance",
          replies: { 200: "The entries." },
          refusals: [400],
        }),
      },
    )
}

export async function accountResponse(db: Db, account: AccountRow, now = new Date()) {
  const today = now.toISOString().slice(0, 10)
  const byScraper = await usageSince(db, account.id, `${today.slice(0, 8)}01`)
  const sinceToday = await usageSince(db, account.id, today)
  const sum = (usage: { credits: number }[]) =>
    usage.reduce((total, entry) => total + entry.credits, 0)
  const unlimited = account.unlimited === 1
  return {
    id: account.id,
    email: account.email,
    plan: unlimited ? ("unlimited" as const) : ("free" as const),
    credits: { balance: account.balance, unlimited },
    usage: {
      today: sum(sinceToday),
      thisMonth: sum(byScraper),
      byScraper: byScraper.map(({ slug, ...usage }) => ({ scraper: slug, ...usage })),
    },
    createdAt: account.created_at,
  }
}
