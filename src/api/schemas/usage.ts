import { type Static, type TProperties, Type } from "@sinclair/typebox"
import { dayMs } from "../../base/time.ts"
import type { UsageGroup, UsageSum } from "../../store/accounts/usage.ts"
import { issue } from "../http/body.ts"
import { invalid } from "../http/errors.ts"
import { maybe, query, responseObject } from "./common.ts"

const usualDays = 30
const day = (description: string) =>
  Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description }))

/** Groups of usage sums. */
const groupWord = (groups: readonly UsageGroup[]) =>
  Type.Array(Type.Union(groups.map((group) => Type.Literal(group))), {
    default: ["day"],
    uniqueItems: true,
    description: `Groups of the sums: ${groups.map((group) => `\`${group}\``).join(", ")}; separate several with \`|\`.`,
  })

export const usageQuery = <P extends TProperties>(groups: readonly UsageGroup[], more: P) =>
  query({
    from: day(`First day, UTC; ${usualDays} days ago by default.`),
    to: day("Last day, UTC; today by default."),
    by: groupWord(groups),
    scraper: Type.Optional(Type.String({ maxLength: 100, description: "Only this scraper." })),
    key: Type.Optional(
      Type.String({ maxLength: 100, description: "Only this API key (`key_…`)." }),
    ),
    ...more,
  })

const sums = {
  pages: Type.Integer({ description: "Pages charged." }),
  items: Type.Integer(),
  credits: Type.Integer(),
  bytes: Type.Integer({ description: "Bytes of all pages, charged or not." }),
}

export const usageSchema = responseObject(
  {
    from: Type.String({ description: "First day, UTC." }),
    to: Type.String({ description: "Last day, UTC." }),
    total: responseObject(sums),
    items: Type.Array(
      responseObject({
        day: Type.Optional(Type.String()),
        account: Type.Optional(
          maybe(Type.String({ description: "Account ID; null for anonymous callers." })),
        ),
        key: Type.Optional(
          maybe(Type.String({ description: "Key ID; null if no key started the run." })),
        ),
        scraper: Type.Optional(Type.String()),
        ...sums,
      }),
      { description: "Fields of the groups, and sums; newest day or largest sum first." },
    ),
    truncated: Type.Boolean({
      description:
        "Whether there are more entries than returned. Use a filter or a shorter period.",
    }),
  },
  { $id: "Usage" },
)

/** First and last day (UTC). */
export interface Days {
  from: string
  to: string
}

/** Reads the requested days. @throws ApiError 400 */
export function daysOf({ from, to }: Partial<Days>, now = new Date()): Days {
  const iso = (date: Date) => date.toISOString().slice(0, 10)
  const last = to ?? iso(now)
  const first = from ?? iso(new Date(Date.parse(last) - (usualDays - 1) * dayMs))
  for (const [field, value] of Object.entries({ from: first, to: last })) {
    if (Number.isNaN(Date.parse(value))) throw badDay(field, value, "a day, as 2026-01-31")
  }
  if (first > last) throw badDay("from", first, "a day that is not after `to`")
  return { from: first, to: last }
}

function badDay(field: string, actual: string, expected: string) {
  const message = `"${field}" must be ${expected}.`
  return invalid([{ ...issue(field, message, expected), actual }], "query")
}

export function usageResponse(
  days: Days,
  { rows, total, truncated }: UsageSum,
): Static<typeof usageSchema> {
  const orNull = (id: string | undefined) => (id === undefined ? undefined : id || null)
  const items = rows.map(({ account, key, ...row }) => ({
    ...row,
    ...(account !== undefined && { account: orNull(account)! }),
    ...(key !== undefined && { key: orNull(key)! }),
  }))
  return { ...days, total, items, truncated }
}
