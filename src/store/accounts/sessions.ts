import type { Db } from "../db/database.ts"

export async function createSession(
  db: Db,
  session: { hash: string; accountId: string; createdAt: string; expiresAt: string },
): Promise<void> {
  await db
    .insertInto("sessions")
    .values({
      hash: session.hash,
      account_id: session.accountId,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
    })
    .execute()
}

export async function endSession(db: Db, session: { hash: string }): Promise<void> {
  await db.deleteFrom("sessions").where("hash", "=", session.hash).execute()
}

/** Ends all browser sessions of an account, except one. */
export async function endSessions(
  db: Db,
  { accountId, but }: { accountId: string; but?: string | undefined },
): Promise<void> {
  const all = db.deleteFrom("sessions").where("account_id", "=", accountId)
  await (but === undefined ? all : all.where("hash", "!=", but)).execute()
}

/** Returns the account of a session; undefined if the session has ended. */
export async function accountOfSession(
  db: Db,
  hash: string,
  now: string,
): Promise<string | undefined> {
  const session = await db
    .selectFrom("sessions")
    .select("account_id")
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst()
  return session?.account_id
}
