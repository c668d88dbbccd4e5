import {
  type Advance,
  type JobHook,
  liveJobHooks,
  openTarget,
  statusOf,
} from "../../../store/automation/job-hooks.ts"
import { newId } from "../../../store/db/ids.ts"
import { type ItemPosition, storedItems } from "../../../store/runs/items.ts"
import { isOver, runById } from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { withLinks } from "../../http/item-files.ts"
import type { CoreParts } from "../../service-parts.ts"
import { errorOf, type Item } from "../common/run-now.ts"
import { documentOf } from "./document.ts"
import { formsOf, states } from "./jobs.ts"
import type { HookOptions, JobEvent } from "./webhooks.ts"

const hooksAtOnce = 100
/** Maximum pages waiting for one receiver, so that a slow receiver delays only itself. */
const maxWaiting = 10
/** Maximum characters of queued pages per receiver, and of a single page. */
const maxCharacters = 4_000_000
const maxPage = 1_000_000

/**
 * Queues the events of jobs (start, pages, end) as webhook deliveries. The position of each job is
 * stored, so that no event is lost or repeated after a restart.
 */
export class JobHooks {
  constructor(private readonly service: CoreParts) {}

  /** Queues the events that are due. Returns whether more may be due now. */
  async poll(stopped: AbortSignal): Promise<boolean> {
    const { db } = this.service.store
    let isMore = false
    for (let after: string | undefined = ""; after !== undefined; ) {
      const hooks = await liveJobHooks(db, { after, limit: hooksAtOnce })
      for (const hook of hooks) {
        if (stopped.aborted) return false
        isMore = (await this.deliver(hook)) || isMore
      }
      after = hooks.length < hooksAtOnce ? undefined : hooks.at(-1)!.webhook_id
    }
    return isMore
  }

  private async deliver(hook: JobHook): Promise<boolean> {
    const { store } = this.service
    const run = await runById(store.db, hook.run_id)
    const { pending, failed } = await statusOf(store.db, hook.webhook_id)
    const isGone = !run || run.deleted_at !== null
    // A run is created immediately after its webhook.
    const isNew = !run && hook.started === 0
    // A receiver that accepted no delivery for a day gets no more.
    if (failed > 0 || (isGone && !isNew)) {
      await store.write("hooks.drop", hook.webhook_id)
      return false
    }
    if (isGone || pending >= maxWaiting) return false
    const options: HookOptions = JSON.parse(hook.options)
    const next = await this.next(hook, run, options, maxWaiting - pending)
    if (!next) return false
    await store.write("hooks.advance", next)
    return !next.isOver
  }

  private async next(
    hook: JobHook,
    run: RunRow,
    options: HookOptions,
    limit: number,
  ): Promise<Advance | undefined> {
    const { db } = this.service.store
    const at = new Date().toISOString()
    const deliveries: Advance["deliveries"] = []
    const add = (event: JobEvent, data: object[], error?: string) => {
      if (!options.events.includes(event)) return
      const id = newId("dlv")
      const type = `${options.type}.${event}`
      const payload = JSON.stringify({
        success: error === undefined,
        type,
        id: run.id,
        webhookId: id,
        data,
        metadata: options.metadata,
        ...(error !== undefined && { error }),
      })
      deliveries.push({ id, webhookId: hook.webhook_id, event: type, runId: run.id, payload, at })
    }
    if (hook.started === 0) add("started", [])
    let to: ItemPosition = { seq: hook.seq, idx: hook.idx }
    let read = 0
    let characters = 0
    const wantsPages = options.events.includes("page")
    // Targets finish in any order, so items of a running target may be inserted before later ones.
    const open = isOver(run.status)
      ? undefined
      : await openTarget(db, { runN: run.n, from: hook.seq })
    if (wantsPages) {
      for await (const { body, ...position } of storedItems(db, run.n, {
        after: to,
        limit: limit,
      })) {
        if (open !== undefined && position.seq >= open) break
        const { page, error } = await this.page(run, options, body)
        add("page", page, error)
        to = position
        read++
        characters += body.length
        if (characters > maxCharacters) break
      }
    }
    const isReported = !wantsPages || (read < limit && characters <= maxCharacters)
    const ends = isOver(run.status) && isReported
    if (ends && run.status === "succeeded") add("completed", [])
    else if (ends) add("failed", [], run.error_message ?? `The job was ${states[run.status]}.`)
    if (deliveries.length === 0 && !ends) return undefined
    return { hook, to, deliveries, isOver: ends }
  }

  private async page(run: RunRow, { root }: HookOptions, body: string) {
    const item: Item = JSON.parse(body)
    const error = errorOf(item)
    const url = item.url ?? item.input
    if (error) return { page: [{ metadata: { sourceURL: url } }], error: error.message }
    if (body.length > maxPage) {
      const warning = "The page is too large for a webhook; read it from the job."
      return { page: [{ warning, metadata: { sourceURL: url } }] }
    }
    const whose = { root, accountId: run.account_id }
    return { page: [documentOf(await withLinks(this.service.store.db, item, whose), formsOf(run))] }
  }
}
