import { type DiffOptions, diffParts } from "../../export/diff.ts"
import { type Export, exportParts, listTexts } from "../../export/export.ts"
import { ledgerPage } from "../../store/accounts/credits.ts"
import { sumUsage, type UsageFilter, type UsageGroup } from "../../store/accounts/usage.ts"
import { type BatchRow, batchRuns, listBatches } from "../../store/automation/batches.ts"
import type { Db } from "../../store/db/database.ts"
import type { Listed, Page } from "../../store/db/page.ts"
import { deliveryTries, listDeliveries } from "../../store/notifications/deliveries.ts"
import {
  accountRuns,
  countRuns,
  type ListedRun,
  logPage,
  type RunFilter,
} from "../../store/runs/run-lists.ts"
import { targetPage } from "../../store/runs/target-lists.ts"
import { batchResponse } from "../schemas/batch.ts"
import { datasetResponse } from "../schemas/dataset.ts"
import { visibleRun } from "../schemas/run.ts"
import { type TargetsRequest, targetResponse } from "../schemas/target.ts"
import { type Days, usageResponse } from "../schemas/usage.ts"
import { deliveryResponse } from "../schemas/webhook.ts"
import { accountTexts } from "./account-export.ts"

type RunPage = Page & { withInput?: boolean }

interface OfAccount {
  accountId: string
  page: RunPage
  /** Public URL of the service, for links. */
  root: string
}

interface UsageQuery {
  days: Days
  filter: UsageFilter
  by: readonly UsageGroup[]
}

type Texts = AsyncGenerator<string>
type Parts = Texts | AsyncGenerator<Uint8Array<ArrayBuffer>>

/**
 * Long responses by name, each produced in parts. Their parameters are plain data, so that another
 * thread can produce them.
 */
const readAnswers = {
  account: accountTexts,

  items: (db: Db, requested: Export, signal?: AbortSignal): Parts =>
    exportParts(db, requested, signal),

  diff: (db: Db, requested: DiffOptions, signal?: AbortSignal): Parts =>
    diffParts(db, requested, signal),

  runs: (db: Db, requested: OfAccount & { filter: RunFilter }): Texts =>
    runTexts(db, requested, (row) => visibleRun(row, requested.root)),

  datasets: (
    db: Db,
    requested: OfAccount & { name?: string | undefined; search?: string | undefined },
  ): Texts => {
    const filter = {
      hasDataset: true,
      ...(requested.name !== undefined && { datasetName: requested.name }),
      ...(requested.search !== undefined && { search: requested.search }),
    }
    return runTexts(db, { ...requested, filter }, (row) => datasetResponse(row, requested.root))
  },

  log: (db: Db, { runN, page }: { runN: number; page: Page }): Texts =>
    listOnce(() => logPage(db, runN, page), page),

  targets: (db: Db, requested: TargetsRequest): Texts =>
    listOnce(
      () => targetPage(db, requested, requested.page),
      requested.page,
      (row) => targetResponse(row, requested),
    ),

  ledger: (db: Db, { accountId, page }: Omit<OfAccount, "root">): Texts =>
    listOnce(
      () => ledgerPage(db, accountId, page),
      page,
      ({ run_id, ...row }) => ({
        at: row.at,
        amount: row.amount,
        reason: row.reason,
        runId: run_id,
        note: row.note,
      }),
    ),

  /**
   * The response is short, but it is computed from as many rows as an account has days, keys and
   * scrapers.
   */
  async *usage(db: Db, { days, filter, by }: UsageQuery): Texts {
    yield JSON.stringify(usageResponse(days, await sumUsage(db, { ...days, ...filter }, by)))
  },

  async *deliveries(db: Db, { webhookId, page }: { webhookId: string; page: Page }): Texts {
    const { rows, total, nextCursor } = await listDeliveries(db, webhookId, page)
    const tries = Map.groupBy(
      await deliveryTries(
        db,
        rows.map(({ id }) => id),
      ),
      (attempt) => attempt.delivery_id,
    )
    const answers = texts(rows, (row) => deliveryResponse(row, tries.get(row.id) ?? []))
    yield* listTexts(
      answers,
      () => total,
      page,
      () => nextCursor,
    )
  },

  batches: (db: Db, { accountId, page, root }: OfAccount): Texts =>
    listOnce(
      () => listBatches(db, accountId, page),
      page,
      (row) => batchResponse(db, row, root),
    ),

  batchRuns(
    db: Db,
    { batch, page, root }: { batch: BatchRow; page: RunPage; root: string },
  ): Texts {
    return partTexts(
      (onward) => runsOfBatch(db, batch.id, onward),
      page,
      ({ position }) => String(position),
      () => batch.size,
      (row) => visibleRun(row, root),
    )
  },
} satisfies Record<string, (db: Db, requested: never, signal?: AbortSignal) => Parts>

type ReadResponse = keyof typeof readAnswers

/** Parameters of one of them. */
export type Requested = {
  [Name in ReadResponse]: { name: Name; with: Parameters<(typeof readAnswers)[Name]>[1] }
}[ReadResponse]

/** @param signal Aborts a search through many rows. */
export function partsOf(db: Db, requested: Requested, signal?: AbortSignal): Parts {
  return readAnswers[requested.name](db, requested.with as never, signal)
}

async function* listOnce<Row>(
  read: () => Promise<Listed<Row>>,
  page: Page,
  response: (row: Row) => unknown = (row) => row,
): Texts {
  const { rows, total, nextCursor } = await read()
  yield* listTexts(
    texts(rows, response),
    () => total,
    page,
    () => nextCursor,
  )
}

function runTexts(
  db: Db,
  { accountId, filter, page }: OfAccount & { filter: RunFilter },
  response: (row: ListedRun) => unknown,
): Texts {
  return partTexts(
    (onward) => accountRuns(db, accountId, filter, onward),
    page,
    ({ n }) => String(n),
    () => countRuns(db, accountId, filter),
    response,
  )
}

/**
 * Returns a page of a list while its rows are read; whether it is the last page is known at the
 * end.
 */
async function* partTexts<Row>(
  read: (page: RunPage) => AsyncIterable<Row>,
  page: RunPage,
  cursorOf: (row: Row) => string,
  total: () => number | Promise<number>,
  response: (row: Row) => unknown,
): Texts {
  let nextCursor: string | null = null
  async function* visible() {
    let last = ""
    let count = 0
    // One more row is read to know whether the list continues.
    for await (const row of read({ ...page, limit: page.limit + 1 })) {
      if (++count > page.limit) nextCursor = last
      else yield JSON.stringify(response(row))
      last = cursorOf(row)
    }
  }
  yield* listTexts(visible(), total, page, () => nextCursor)
}

async function* texts<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  response: (row: Row) => unknown = (row) => row,
): Texts {
  for await (const row of rows) yield JSON.stringify(await response(row))
}

/** Rows contain inputs, so only a few are read at a time. */
const runsAtOnce = 50

async function* runsOfBatch(db: Db, batchId: string, page: RunPage) {
  const end = page.offset + page.limit
  for (let offset = page.offset; offset < end; offset += runsAtOnce) {
    const limit = Math.min(runsAtOnce, end - offset)
    const rows = await batchRuns(db, batchId, { ...page, limit, offset })
    yield* rows
    if (rows.length < limit) return
  }
}
