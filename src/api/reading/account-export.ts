import { accountById } from "../../store/accounts/accounts.ts"
import { ledgerPage } from "../../store/accounts/credits.ts"
import { listKeys } from "../../store/accounts/keys.ts"
import { listSiteSessions, type SiteSessionRow } from "../../store/accounts/site-sessions.ts"
import { usageRows } from "../../store/accounts/usage.ts"
import { listBatches } from "../../store/automation/batches.ts"
import { listSchedules } from "../../store/automation/schedules.ts"
import { listChannels } from "../../store/automation/webhooks.ts"
import type { Db } from "../../store/db/database.ts"
import type { Listed, Page } from "../../store/db/page.ts"
import { itemBodies } from "../../store/runs/items.ts"
import { accountRuns } from "../../store/runs/run-lists.ts"
import { channelResponse } from "../notifications/schema.ts"
import { keyResponse } from "../schemas/key.ts"
import { visibleRun } from "../schemas/run.ts"

const rowsAtOnce = 500

/**
 * All data of an account, one JSON object per line, each with its `type`; items follow their run.
 * Secrets are left out.
 */
export async function* accountTexts(
  db: Db,
  { accountId, root }: { accountId: string; root: string },
): AsyncGenerator<string> {
  const account = await accountById(db, accountId)
  if (!account) return
  const { id, email, role, balance, unlimited, created_at: createdAt } = account
  const credits = { balance, unlimited: unlimited === 1 }
  yield line("account", { id, email, role, credits, createdAt })
  yield* lines("key", (page) => listKeys(db, id, page), keyResponse)
  yield* lines("ledgerEntry", (page) => ledgerPage(db, id, page), withoutAccount)
  for (const row of await usageRows(db, { accountId: id })) yield line("usage", row)
  yield* lines("schedule", (page) => listSchedules(db, id, page), withoutAccount)
  yield* lines("webhook", (page) => listChannels(db, id, page), channelResponse)
  yield* lines("session", (page) => listSiteSessions(db, id, page), sessionFacts)
  yield* lines("batch", (page) => listBatches(db, id, page), withoutAccount)
  const all = { limit: Number.MAX_SAFE_INTEGER, offset: 0, withInput: true }
  for await (const run of accountRuns(db, id, {}, all)) {
    yield line("run", visibleRun(run, root))
    if (run.dataset_deleted_at !== null) continue
    for await (const body of itemBodies(db, run.n)) {
      yield `{"type":"item","datasetId":${JSON.stringify(run.dataset_id)},"item":${body}}\n`
    }
  }
}

/** Without its cookies and its recipe. */
const sessionFacts = ({ id, name, hosts, created_at: createdAt }: SiteSessionRow) => ({
  ...{ id, name, hosts: JSON.parse(hosts), createdAt },
})

const line = (type: string, row: object) => `${JSON.stringify({ type, ...row })}\n`

function withoutAccount<Row extends object>(row: Row): object {
  const { account_id: _, ...rest } = row as Row & { account_id?: string }
  return rest
}

async function* lines<Row>(
  type: string,
  read: (page: Page) => Promise<Listed<Row>>,
  response: (row: Row) => object,
): AsyncGenerator<string> {
  let cursor: string | undefined
  do {
    const page = await read({ limit: rowsAtOnce, offset: 0, ...(cursor && { cursor }) })
    for (const row of page.rows) yield line(type, response(row))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}
