import { type Export, exportTexts, listTexts } from "../../export/export.ts"
import { ledgerPage } from "../../store/accounts/credits.ts"
import { type BatchRow, batchRuns, listBatches } from "../../store/automation/batches.ts"
import { deliveryTries, listDeliveries } from "../../store/automation/deliveries.ts"
import type { Db } from "../../store/database.ts"
import type { Listed, Page } from "../../store/page.ts"
import { accountRuns, countRuns, logPage, type RunFilter } from "../../store/runs/run-lists.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { batchAnswer } from "../schemas/batch.ts"
import { datasetAnswer } from "../schemas/dataset.ts"
import { runAnswer } from "../schemas/run.ts"
import { deliveryAnswer } from "../schemas/webhook.ts"

interface OfAccount {
  accountId: string
  page: Page
  /** The public address of the service, for links. */
  root: string
}

type Texts = AsyncGenerator<string>

/**
 * Answers that may be long, by name: each gives its text part by part. What they are asked with is
 * plain data, so that a thread of its own can make them.
 */
const readAnswers = {
  items: (db: Db, asked: Export): Texts => exportTexts(db, asked),

  runs(db: Db, { accountId, filter, page, root }: OfAccount & { filter: RunFilter }): Texts {
    const rows = accountRuns(db, accountId, filter, page)
    const total = () => countRuns(db, accountId, filter)
    return listTexts(
      texts(rows, (row) => runAnswer(row, root)),
      total,
      page,
    )
  },

  datasets(db: Db, { accountId, page, root }: OfAccount): Texts {
    const filter = { hasDataset: true }
    const rows = accountRuns(db, accountId, filter, page)
    const total = () => countRuns(db, accountId, filter)
    return listTexts(
      texts(rows, (row) => datasetAnswer(row, root)),
      total,
      page,
    )
  },

  log: (db: Db, { runN, page }: { runN: number; page: Page }): Texts =>
    listOnce(() => logPage(db, runN, page), page),

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

  async *deliveries(db: Db, { webhookId, page }: { webhookId: string; page: Page }): Texts {
    const { rows, total } = await listDeliveries(db, webhookId, page)
    const tries = Map.groupBy(
      await deliveryTries(
        db,
        rows.map(({ id }) => id),
      ),
      (one) => one.delivery_id,
    )
    const answers = texts(rows, (row) => deliveryAnswer(row, tries.get(row.id) ?? []))
    yield* listTexts(answers, () => total, page)
  },

  batches: (db: Db, { accountId, page, root }: OfAccount): Texts =>
    listOnce(
      () => listBatches(db, accountId, page),
      page,
      (row) => batchAnswer(db, row, root),
    ),

  batchRuns(db: Db, { batch, page, root }: { batch: BatchRow; page: Page; root: string }): Texts {
    return listTexts(
      texts(runsOfBatch(db, batch.id, page), (row) => runAnswer(row, root)),
      () => batch.size,
      page,
    )
  },
} satisfies Record<string, (db: Db, asked: never) => Texts>

type ReadAnswer = keyof typeof readAnswers

/** What one of them is asked for. */
export type Asked = {
  [Name in ReadAnswer]: { name: Name; with: Parameters<(typeof readAnswers)[Name]>[1] }
}[ReadAnswer]

export function textsOf(db: Db, asked: Asked): Texts {
  return readAnswers[asked.name](db, asked.with as never)
}

async function* listOnce<Row>(
  read: () => Promise<Listed<Row>>,
  page: Page,
  answer: (row: Row) => unknown = (row) => row,
): Texts {
  const { rows, total } = await read()
  yield* listTexts(texts(rows, answer), () => total, page)
}

async function* texts<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  answer: (row: Row) => unknown,
): Texts {
  for await (const row of rows) yield JSON.stringify(await answer(row))
}

/** Each holds its input, so that few are read at once. */
const runsAtOnce = 50

async function* runsOfBatch(db: Db, batchId: string, page: Page): AsyncGenerator<RunRow> {
  const end = page.offset + page.limit
  for (let offset = page.offset; offset < end; offset += runsAtOnce) {
    const limit = Math.min(runsAtOnce, end - offset)
    const rows = await batchRuns(db, batchId, { limit, offset })
    yield* rows
    if (rows.length < limit) return
  }
}
