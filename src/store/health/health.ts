import type { Selectable } from "kysely"
import type { Db } from "../db/database.ts"
import { held } from "../db/dialect.ts"
import { announce } from "../notifications/events.ts"
import type { HealthTable } from "../tables/health-tables.ts"
import { noteDay } from "./days.ts"
import { nothingUsual, type Usual, usualWith } from "./usual.ts"
import { after, type Finding, type Source, type StoredVerdict, unheardOf } from "./verdicts.ts"

export type HealthRow = Selectable<HealthTable>

/** The `fetch_method` of rows about the whole scraper. */
export const allMethods = "all"

export interface NewFinding {
  slug: string
  /** `all`, or one fetch method. */
  fetchMethod: string
  finding: Finding
  source: Source
  at: string
  /** The share of a probe's items in which each field has a value. */
  shares?: Record<string, number>
}

/** Stores findings and the verdicts that follow; notifies the channels that want changes. */
export async function noteFindings(
  db: Db,
  { findings }: { findings: NewFinding[] },
): Promise<void> {
  for (const one of findings) await noteFinding(db, one)
}

async function noteFinding(db: Db, noted: NewFinding): Promise<void> {
  const { slug, fetchMethod, finding, source, at, shares } = noted
  const query = db
    .selectFrom("health")
    .selectAll()
    .where("slug", "=", slug)
    .where("fetch_method", "=", fetchMethod)
  const row = await held(db, query).executeTakeFirst()
  const before = row ? verdictOf(row) : unheardOf
  const now = after(before, finding, source)
  const hasChanged = row?.state !== now.finding.verdict
  const values = {
    state: now.finding.verdict,
    since: row && !hasChanged ? row.since : at,
    finding: JSON.stringify(now.finding),
    source: now.source,
    failures: now.failures,
    latest: JSON.stringify(finding),
    seen_at: at,
    usual: JSON.stringify(shares ? usualWith(usualOf(row), shares) : usualOf(row)),
    checked_at: source === "probe" ? at : (row?.checked_at ?? null),
  }
  await db
    .insertInto("health")
    .values({ slug, fetch_method: fetchMethod, ...values })
    .onConflict((conflict) => conflict.columns(["slug", "fetch_method"]).doUpdateSet(values))
    .execute()
  if (fetchMethod === allMethods && now !== before) await noteDay(db, slug, now.finding.verdict, at)
  if (fetchMethod === allMethods && before.finding.verdict !== now.finding.verdict) {
    await announceChange(db, { slug, before, now, since: row?.since ?? null, at })
  }
}

export function usualOf(row: Pick<HealthRow, "usual"> | undefined): Usual {
  return row ? JSON.parse(row.usual) : nothingUsual
}

function verdictOf({ finding, source, failures }: HealthRow): StoredVerdict {
  return { finding: JSON.parse(finding), source, failures }
}

interface Change {
  slug: string
  before: StoredVerdict
  now: StoredVerdict
  /** Time since which the scraper had the earlier verdict. */
  since: string | null
  at: string
}

async function announceChange(db: Db, { slug, before, now, since, at }: Change): Promise<void> {
  await announce(db, {
    event: "scraper.health",
    to: "all",
    data: {
      scraper: slug,
      before: { ...reported(before), since },
      after: { ...reported(now), since: at },
    },
    at,
  })
}

const reported = ({ finding: { verdict, ...about } }: StoredVerdict) => ({
  state: verdict,
  ...about,
})

export async function allHealth(db: Db): Promise<HealthRow[]> {
  return db.selectFrom("health").selectAll().execute()
}

/** Returns a text that changes with any change of scraper health. */
export async function healthMark(db: Db): Promise<string> {
  const { last, rows } = await db
    .selectFrom("health")
    .select((table) => [table.fn.max("seen_at").as("last"), table.fn.countAll().as("rows")])
    .executeTakeFirstOrThrow()
  return `${last} ${rows}`
}
