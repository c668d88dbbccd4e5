import type { Selectable } from "kysely"
import type { Db } from "../db/database.ts"
import type { MonitorLinksTable } from "../tables/automation-tables.ts"

export type MonitorLinkRow = Selectable<MonitorLinksTable>

/** Returns false if the monitor has the maximum number of links. */
export async function createMonitorLink(
  db: Db,
  { maximum: max, ...link }: MonitorLinkRow & { maximum: number },
): Promise<boolean> {
  const open = await monitorLinks(db, link.schedule_id, link.created_at)
  if (open.length >= max) return false
  await db.insertInto("monitor_links").values(link).execute()
  return true
}

/** Returns the valid links to a monitor's feed, newest first. */
export async function monitorLinks(
  db: Db,
  scheduleId: string,
  now: string,
): Promise<MonitorLinkRow[]> {
  return db
    .selectFrom("monitor_links")
    .where("schedule_id", "=", scheduleId)
    .where("expires_at", ">", now)
    .selectAll()
    .orderBy("id", "desc")
    .execute()
}

/** Returns the link to this monitor's feed by its hash; undefined while the account is locked. */
export async function openMonitorLink(
  db: Db,
  { hash, scheduleId, now }: { hash: string; scheduleId: string; now: string },
): Promise<MonitorLinkRow | undefined> {
  return db
    .selectFrom("monitor_links")
    .innerJoin("schedules", "schedules.id", "schedule_id")
    .innerJoin("accounts", "accounts.id", "schedules.account_id")
    .selectAll("monitor_links")
    .where("locked_at", "is", null)
    .where("hash", "=", hash)
    .where("schedule_id", "=", scheduleId)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}

/** Returns whether the link existed. */
export async function revokeMonitorLink(
  db: Db,
  { id, scheduleId }: { id: string; scheduleId: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("monitor_links")
    .where("id", "=", id)
    .where("schedule_id", "=", scheduleId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
