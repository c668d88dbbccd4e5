import type { Selectable, Updateable } from "kysely"
import type { Db } from "../database.ts"
import { type Listed, listed, type Page } from "../page.ts"
import type { WebhooksTable } from "../tables/automation-tables.ts"

export type WebhookRow = Selectable<WebhooksTable>

interface Owned {
  id: string
  accountId: string
}

/** Stores a webhook; the one that stands when the id is known. */
export async function createWebhook(db: Db, webhook: WebhookRow): Promise<WebhookRow> {
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

export async function listWebhooks(
  db: Db,
  accountId: string,
  page: Page,
): Promise<Listed<WebhookRow>> {
  const query = db.selectFrom("webhooks").where("account_id", "=", accountId).selectAll()
  return listed(query, page, "id")
}
