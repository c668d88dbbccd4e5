import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { logLines } from "../store/run-log.ts"
import { isOver, type RunRow, runById } from "../store/runs.ts"
import { readQuery } from "./body.ts"
import { authenticate } from "./guard.ts"
import { operation } from "./operation.ts"
import { ownRun } from "./runs.ts"
import { answerObject, listOf, listQuery, pathId, time } from "./schemas/common.ts"
import { runAnswer } from "./schemas/run.ts"
import type { Service } from "./service.ts"
import { streamed } from "./stream.ts"

/** Silence after which a comment is sent, so that proxies keep the connection. */
const heartbeatMs = 15_000
/** Least time between two looks at a run that changes all the time. */
const pauseMs = 200
/** A run is looked at so often also when nothing is told: its log is told of before it is stored. */
const lookEveryMs = 1_000
const linesAtOnce = 500

const logSchema = answerObject(
  {
    id: Type.Integer({ description: "Grows along the log; serves `Last-Event-ID`." }),
    at: time("When."),
    level: Type.String({ description: "info, warning or error." }),
    message: Type.String(),
  },
  { $id: "LogLine" },
)

const runParams = { runId: pathId("run", "run") }

/** What happens to a run, as it happens and afterwards. */
export function runEventRoutes(service: Service): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .get(
      "/runs/:runId/log",
      async ({ request, set, server, params }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const run = await ownRun(service, accountId, params.runId)
        const page = readQuery(request, listQuery)
        return service.lists.send(request, accountId, { name: "log", with: { runN: run.n, page } })
      },
      operation({
        id: "getRunLog",
        tag: "Runs",
        summary: "A run's log, in order",
        params: runParams,
        query: listQuery,
        replies: { 200: { description: "The lines.", schema: listOf(logSchema, "RunLog") } },
        refusals: [400, 404],
      }),
    )
    .get(
      "/runs/:runId/events",
      async ({ request, set, server, params }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const run = await ownRun(service, accountId, params.runId)
        const after = Number(request.headers.get("last-event-id") ?? 0)
        server?.timeout(request, 0)
        const root = service.root({ request, set, server })
        const events = eventsOf(service, run, root, Number.isInteger(after) ? after : 0)
        return streamed(events, {
          "content-type": "text/event-stream;charset=utf-8",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        })
      },
      operation({
        id: "getRunEvents",
        tag: "Runs",
        summary: "What happens to a run, as server-sent events",
        description:
          "`status` and `progress` carry the run, `log` a line of its log. The log is replayed from `Last-Event-ID` on, without it from its beginning; the run as it stands comes with every connection. The stream ends with the run.",
        params: runParams,
        headers: { "Last-Event-ID": Type.String({ description: "Id of the last line seen." }) },
        replies: {
          200: {
            description: "The events.",
            schema: Type.String(),
            types: ["text/event-stream"],
            example:
              'event: status\ndata: {"id":"run_0198…","status":"running"}\n\nid: 17\nevent: log\ndata: {"at":"2026-01-31T12:00:00.000Z","level":"info","message":"Waiting 1.2 s"}\n\n',
          },
        },
        refusals: [404],
      }),
    )
}

async function* eventsOf(
  service: Service,
  first: RunRow,
  root: string,
  lastLine: number,
): AsyncGenerator<string> {
  const { db } = service.store
  const change = new Change()
  const unsubscribe = service.runs.subscribe(first.id, () => change.happened())
  let after = lastLine
  let shown: RunRow | undefined
  let spoke = Date.now()
  try {
    for (;;) {
      change.reset()
      // The run is read before its log, so that a run that is over has all its lines.
      const run = (await runById(db, first.id)) ?? first
      const lines = await logLines(db, run.n, { after, limit: linesAtOnce })
      for (const { id, ...line } of lines) {
        yield event("log", line, id)
        after = id
      }
      const news = newsOf(shown, run)
      if (news) yield event(news, runAnswer(run, root))
      if (news || lines.length > 0) spoke = Date.now()
      shown = run
      if (lines.length === linesAtOnce) continue
      if (isOver(run.status)) return
      await Bun.sleep(pauseMs)
      await change.within(lookEveryMs)
      if (Date.now() - spoke < heartbeatMs) continue
      yield ": still there\n\n"
      spoke = Date.now()
    }
  } finally {
    unsubscribe()
  }
}

/** What kind of event tells the difference; undefined when there is none. */
function newsOf(before: RunRow | undefined, now: RunRow): "status" | "progress" | undefined {
  if (before?.status !== now.status) return "status"
  const movedOn =
    before.targets_done !== now.targets_done ||
    before.targets_total !== now.targets_total ||
    before.item_count !== now.item_count ||
    before.error_count !== now.error_count ||
    before.status_message !== now.status_message
  return movedOn ? "progress" : undefined
}

function event(type: string, data: unknown, id?: number): string {
  const head = id === undefined ? "" : `id: ${id}\n`
  return `${head}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Something that happens while nobody looks, or while somebody waits for it. */
class Change {
  private pending = false
  private wake?: () => void

  happened(): void {
    this.pending = true
    this.wake?.()
  }

  reset(): void {
    this.pending = false
  }

  /** Resolves when it has happened, or the time is over. */
  async within(milliseconds: number): Promise<void> {
    if (this.pending) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
