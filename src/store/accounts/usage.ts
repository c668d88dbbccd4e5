import { type Db, hotQuery } from "../db/database.ts"

/** Usage and the account and key that caused it. */
export interface Use {
  /** Null for anonymous callers. `keyId` is also null if no key started the run. */
  accountId: string | null
  keyId: string | null
  slug: string
  at: string
  pages: number
  items: number
  credits: number
  bytes: number
}

type Four<Type> = [Type, Type, Type, Type]

const add = hotQuery<unknown, [...day: Four<string>, ...more: Four<number>, ...Four<number>]>(
  (db) =>
    db
      .insertInto("usage_days")
      .values({
        ...{ day: "", account_id: "", key_id: "", slug: "" },
        ...{ pages: 0, items: 0, credits: 0, bytes: 0 },
      })
      .onConflict((conflict) =>
        conflict.columns(["account_id", "day", "slug", "key_id"]).doUpdateSet((row) => ({
          pages: row("usage_days.pages", "+", 0),
          items: row("usage_days.items", "+", 0),
          credits: row("usage_days.credits", "+", 0),
          bytes: row("usage_days.bytes", "+", 0),
        })),
      ),
)

/** Adds to a day's usage, once for all targets of a commit. */
export async function addUsage(db: Db, use: Use): Promise<void> {
  const { pages, items, credits, bytes } = use
  if (pages + items + credits + bytes === 0) return
  const more = [pages, items, credits, bytes] as const
  const day = [use.at.slice(0, 10), use.accountId ?? "", use.keyId ?? "", use.slug] as const
  await add(db, ...day, ...more, ...more)
}

export interface UsageByScraper {
  slug: string
  credits: number
  pages: number
}

/** Returns an account's usage since a day (UTC, inclusive), by scraper, the largest first. */
export async function usageSince(
  db: Db,
  accountId: string,
  day: string,
): Promise<UsageByScraper[]> {
  return db
    .selectFrom("usage_days")
    .select((row) => [
      "slug",
      row.fn.sum<number>("credits").as("credits"),
      row.fn.sum<number>("pages").as("pages"),
    ])
    .where("account_id", "=", accountId)
    .where("day", ">=", day)
    .groupBy("slug")
    .orderBy("credits", "desc")
    .orderBy("slug")
    .execute()
}

export interface UsageFilter {
  accountId?: string
  keyId?: string
  slug?: string
  /** First and last day (UTC), inclusive. */
  from?: string
  to?: string
}

/** Returns usage by day, account, key and scraper, newest day first. */
export async function usageRows(db: Db, filter: UsageFilter) {
  return filtered(db, filter)
    .select([
      "day",
      "account_id as accountId",
      "key_id as keyId",
      "slug as scraper",
      "pages",
      "items",
      "credits",
      "bytes",
    ])
    .orderBy("day", "desc")
    .orderBy("slug")
    .orderBy("key_id")
    .execute()
}

function filtered(db: Db, { accountId, keyId, slug, from, to }: UsageFilter) {
  return db
    .selectFrom("usage_days")
    .$if(accountId !== undefined, (query) => query.where("account_id", "=", accountId!))
    .$if(keyId !== undefined, (query) => query.where("key_id", "=", keyId!))
    .$if(slug !== undefined, (query) => query.where("slug", "=", slug!))
    .$if(from !== undefined, (query) => query.where("day", ">=", from!))
    .$if(to !== undefined, (query) => query.where("day", "<=", to!))
}

const groups = { day: "day", account: "account_id", key: "key_id", scraper: "slug" } as const
export type UsageGroup = keyof typeof groups

/** Maximum sums of one response. */
const maxSums = 10_000

interface Sums {
  pages: number
  items: number
  credits: number
  bytes: number
}

export interface UsageSum {
  rows: (Partial<Record<UsageGroup, string>> & Sums)[]
  total: Sums
  truncated: boolean
}

/** Returns usage summed by some of its columns: newest day first, or else by pages. */
export async function sumUsage(
  db: Db,
  filter: UsageFilter,
  by: readonly UsageGroup[],
): Promise<UsageSum> {
  const sums = filtered(db, filter).select((row) => [
    row.fn.coalesce(row.fn.sum<number>("pages"), row.lit(0)).as("pages"),
    row.fn.coalesce(row.fn.sum<number>("items"), row.lit(0)).as("items"),
    row.fn.coalesce(row.fn.sum<number>("credits"), row.lit(0)).as("credits"),
    row.fn.coalesce(row.fn.sum<number>("bytes"), row.lit(0)).as("bytes"),
  ])
  const total = await sums.executeTakeFirstOrThrow()
  if (by.length === 0) return { rows: [], total, truncated: false }
  const rows = await sums
    .select(by.map((group) => `${groups[group]} as ${group}` as const))
    .groupBy(by.map((group) => groups[group]))
    .$if(by.includes("day"), (query) => query.orderBy("day", "desc"))
    .orderBy("pages", "desc")
    .limit(maxSums + 1)
    .execute()
  const truncated = rows.length > maxSums
  return { rows: rows.slice(0, maxSums) as UsageSum["rows"], total, truncated }
}
