import type { Db } from "../db/database.ts"

/** Identifies the cookies of one visitor of a site. */
export interface CookieVisit {
  /** The registrable domain. */
  site: string
  /** The visitor's user agent. */
  agent: string
  /** The transport of the requests, which bot protection can distinguish. */
  fetchMethod: "http" | "chrome" | "unlocker"
}

export interface StoredCookie {
  host: string
  path: string
  name: string
  value: string
  hostOnly: boolean
  secure: boolean
  httpOnly: boolean
  /** ISO 8601. */
  expiresAt: string
}

export interface CookieBounds {
  sites: number
  cookiesOfSite: number
  valueLength: number
}

const bounds: CookieBounds = { sites: 2000, cookiesOfSite: 50, valueLength: 4096 }

const key = ["site", "agent", "fetch_method", "host", "path", "name"] as const

/** Returns the key of a cookie within a visit. */
const keyOf = ({ host, path, name }: Pick<StoredCookie, "host" | "path" | "name">) =>
  JSON.stringify([host, path, name])

export async function storedCookies(
  db: Db,
  visit: CookieVisit,
  now: string,
): Promise<StoredCookie[]> {
  const rows = await db
    .selectFrom("reused_cookies")
    .select(["host", "path", "name", "value", "host_only", "secure", "http_only", "expires_at"])
    .where("site", "=", visit.site)
    .where("agent", "=", visit.agent)
    .where("fetch_method", "=", visit.fetchMethod)
    .where("expires_at", ">", now)
    .limit(bounds.cookiesOfSite)
    .execute()
  return rows.map(({ host_only, secure, http_only, expires_at, ...cookie }) => ({
    ...cookie,
    hostOnly: host_only === 1,
    secure: secure === 1,
    httpOnly: http_only === 1,
    expiresAt: expires_at,
  }))
}

/** Replaces the stored cookies of visits, with limits, so that an upstream cannot fill the table. */
export async function reuseCookies(
  db: Db,
  { visits, at }: { visits: (CookieVisit & { cookies: StoredCookie[] })[]; at: string },
  { sites, cookiesOfSite, valueLength }: CookieBounds = bounds,
): Promise<void> {
  for (const { cookies, ...visit } of visits) {
    const { site, agent, fetchMethod } = visit
    await deleteVisit(db, visit, at)
    const rows = cookies
      .filter(({ name, value, path }) => name.length + value.length + path.length <= valueLength)
      .slice(0, cookiesOfSite)
      .map(({ hostOnly, httpOnly, expiresAt, secure, ...cookie }) => ({
        site,
        agent,
        fetch_method: fetchMethod,
        ...cookie,
        host_only: Number(hostOnly),
        secure: Number(secure),
        http_only: Number(httpOnly),
        expires_at: expiresAt,
        stored_at: at,
      }))
    if (rows.length === 0) continue
    await db
      .insertInto("reused_cookies")
      .values([...new Map(rows.map((row) => [keyOf(row), row])).values()])
      .onConflict((conflict) =>
        conflict.columns(key).doUpdateSet((row) => ({
          value: row.ref("excluded.value"),
          host_only: row.ref("excluded.host_only"),
          secure: row.ref("excluded.secure"),
          http_only: row.ref("excluded.http_only"),
          expires_at: row.ref("excluded.expires_at"),
          stored_at: row.ref("excluded.stored_at"),
        })),
      )
      .execute()
    await deleteOldest(db, visit.site, cookiesOfSite)
  }
  await deleteOldestSites(db, sites)
}

/** Drops the cookies of blocked visits as they were at the time; newer cookies stay. */
export async function dropCookies(
  db: Db,
  { visits, at }: { visits: CookieVisit[]; at: string },
): Promise<void> {
  for (const visit of visits) await deleteVisit(db, visit, at)
}

async function deleteVisit(db: Db, { site, agent, fetchMethod }: CookieVisit, until: string) {
  await db
    .deleteFrom("reused_cookies")
    .where("site", "=", site)
    .where("agent", "=", agent)
    .where("fetch_method", "=", fetchMethod)
    .where("stored_at", "<=", until)
    .execute()
}

async function deleteOldest(db: Db, site: string, max: number): Promise<void> {
  const surplus = await db
    .selectFrom("reused_cookies")
    .select(key)
    .where("site", "=", site)
    .orderBy("stored_at", "desc")
    .limit(1000)
    .offset(max)
    .execute()
  for (const row of surplus) {
    let deletion = db.deleteFrom("reused_cookies")
    for (const column of key) deletion = deletion.where(column, "=", row[column])
    await deletion.execute()
  }
}

async function deleteOldestSites(db: Db, max: number): Promise<void> {
  const surplus = await db
    .selectFrom("reused_cookies")
    .select("site")
    .groupBy("site")
    .orderBy((eb) => eb.fn.max("stored_at"), "desc")
    .limit(1000)
    .offset(max)
    .execute()
  const sites = surplus.map(({ site }) => site)
  if (sites.length > 0) await db.deleteFrom("reused_cookies").where("site", "in", sites).execute()
}
