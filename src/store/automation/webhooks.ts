import type { Insertable, Selectable, Updateable } from "kysely"
import type { Db } from "../db/database.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import type { WebhooksTable } from "../tables/automation-tables.ts"

export type WebhookRow = Selectable<WebhooksTable>

interface Owned {
  id: string
  accountId: string
}

/** Stores a webhook or a channel of another kind; returns the stored one if the ID is known. */
export async function createWebhook(
  db: Db,
  webhook: Insertable<WebhooksTable>,
): Promise<WebhookRow> {
  const row = await db
    .insertInto("webhooks")
    .values(webhook)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? (await webhookById(db, { id: webhook.id, accountId: webhook.account_id }))!
}

export async function changeWebhook(
  db: Db,
  change: Owned & { set: Updateable<WebhooksTable> },
): Promise<WebhookRow | undefined> {
  return db
    .updateTable("webhooks")
    .set(change.set)
    .where("id", "=", change.id)
    .where("account_id", "=", change.accountId)
    .returningAll()
    .executeTakeFirst()
}

export async function rotateSecret(
  db: Db,
  change: Owned & { secret: string; previousUntil: string },
): Promise<WebhookRow | undefined> {
  return db
    .updateTable("webhooks")
    .set((row) => ({
      previous_secret: row.ref("secret"),
      previous_until: change.previousUntil,
      secret: change.secret,
    }))
    .where("id", "=", change.id)
    .where("account_id", "=", change.accountId)
    .where("kind", "=", "webhook")
    .returningAll()
    .executeTakeFirst()
}

export async function deleteWebhook(db: Db, webhook: Owned): Promise<boolean> {
  const result = await db
    .deleteFrom("webhooks")
    .where("id", "=", webhook.id)
    .where("account_id", "=", webhook.accountId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function webhookById(db: Db, webhook: Owned): Promise<WebhookRow | undefined> {
  return db
    .selectFrom("webhooks")
    .selectAll()
    .where("id", "=", webhook.id)
    .where("account_id", "=", webhook.accountId)
    .executeTakeFirst()
}

/** Returns the webhooks of one kind, except those of single runs. */
export async function listWebhooks(
  db: Db,
  accountId: string,
  page: Page,
  kind = "webhook",
): Promise<Listed<WebhookRow>> {
  const query = allOf(db, accountId).where("kind", "=", kind).where("run_id", "is", null)
  return listed(query, page, "id")
}

/** Returns the channels of every kind, including webhooks. */
export async function listChannels(
  db: Db,
  accountId: string,
  page: Page,
): Promise<Listed<WebhookRow>> {
  return listed(channelsOf(db, accountId), page, "id")
}

/** Returns the channels of all accounts. */
export async function allChannels(db: Db, page: Page): Promise<Listed<WebhookRow>> {
  const query = db.selectFrom("webhooks").selectAll().where("kind", "not in", theirKinds)
  return listed(query, page, "id")
}

/** Returns a channel of any account. */
export async function anyChannel(db: Db, id: string): Promise<WebhookRow | undefined> {
  return db.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirst()
}

/** Kinds of webhooks made by compatible APIs and sent in their formats; only those APIs list them. */
export const theirKinds = ["apify", "firecrawl"] as const
export type TheirKind = (typeof theirKinds)[number]

const channelsOf = (db: Db, accountId: string) =>
  allOf(db, accountId).where("kind", "not in", theirKinds)

const allOf = (db: Db, accountId: string) =>
  db.selectFrom("webhooks").where("account_id", "=", accountId).selectAll()
