import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { isOver } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { streamed } from "../http/stream.ts"
import {
  cursorListOf,
  cursorQuery,
  cursors,
  pathId,
  query,
  responseObject,
  time,
} from "../schemas/common.ts"
import { visibleRun } from "../schemas/run.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ResultParts,
  RunParts,
} from "../service-parts.ts"
import { type Look, linesAtOnce } from "./run-feed.ts"
import { ownRun } from "./runs.ts"

/** Silence after which a comment is sent, so that proxies keep the connection. */
const heartbeatMs = 15_000
/** Minimum time between two reads of a run that changes often. */
const pauseMs = 200
/** Milliseconds after which a client reconnects to a stopped service. */
const retryMs = 3_000

const logSchema = responseObject(
  {
    id: Type.Integer({ description: "Increasing line number, for `Last-Event-ID`." }),
    at: time("Time of the line."),
    level: Type.String({ description: "Level: info, warning or error." }),
    message: Type.String(),
  },
  { $id: "LogLine" },
)

const runParams = { runId: pathId("run", "run") }

/** The log of a run, and its events as a stream. */
export function runEventRoutes(
  service: CoreParts & ClientParts & AccessParts & RunParts & ResultParts,
): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ RunLog: responseSchema(cursorListOf(logSchema, "RunLog")) })
    .get(
      "/runs/:runId/log",
      async ({ accountId, params, request, query: page }) => {
        const run = await ownRun(service, accountId, params.runId)
        return service.lists.send(request, accountId, { name: "log", with: { runN: run.n, page } })
      },
      {
        account: true,
        params: requestSchema.params(runParams),
        query: requestSchema.query(query(cursorQuery(cursors.number))),
        response: { 200: "RunLog" },
        detail: operation({
          id: "getRunLog",
          tag: "Runs",
          summary: "Get a run's log in order",
          replies: { 200: "The lines." },
          refusals: [400, 404],
        }),
      },
    )
    .get(
      "/runs/:runId/events",
      async ({ accountId, root, params, request, server }) => {
        const run = await ownRun(service, accountId, params.runId)
        const after = Number(request.headers.get("last-event-id") ?? 0)
        server?.timeout(request, 0)
        const events = eventsOf(service, run, root, Number.isInteger(after) ? after : 0)
        return streamed(events, {
          "content-type": "text/event-stream;charset=utf-8",
          "cache-control": "no-store",
          "x-accel-buffering": "no",
        })
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(runParams),
        headers: requestSchema.headers({
          "Last-Event-ID": Type.String({ description: "ID of the last received line." }),
        }),
        response: { 200: responseSchema(Type.String()) },
        detail: operation({
          id: "getRunEvents",
          tag: "Runs",
          summary: "Stream the events of a run as server-sent events",
          description:
            "`status` and `progress` contain the run without its input, `log` a line of its log. The log is replayed from `Last-Event-ID`, or from its start. Every connection starts with the current run. The stream ends with the run; before the service stops, `stopping` is sent, with the time to reconnect (`retry`).",
          replies: {
            200: {
              description: "The events.",
              types: ["text/event-stream"],
              example:
                'event: status\ndata: {"id":"run_0198…","status":"running"}\n\nid: 17\nevent: log\ndata: {"at":"2026-01-31T12:00:00.000Z","level":"info","message":"Waiting 1.2 s"}\n\n',
            },
          },
          refusals: [404],
        }),
      },
    )
}

async function* eventsOf(
  service: RunParts,
  first: RunRow,
  root: string,
  lastLine: number,
): AsyncGenerator<string | Uint8Array> {
  const { feed, leave } = service.feeds.join(first.id)
  let after = lastLine
  let visible: RunRow | undefined
  let spoke = Date.now()
  try {
    for (;;) {
      const since = feed.now
      const { run = first, lines, made } = await feed.look(after)
      for (const { id, ...line } of lines) {
        yield event("log", line, id)
        after = id
      }
      const news = newsOf(visible, run)
      if (news) yield runEvent(news, run, root, made)
      if (news || lines.length > 0) spoke = Date.now()
      visible = run
      if (lines.length === linesAtOnce) continue
      if (isOver(run.status)) return
      await Bun.sleep(pauseMs)
      await feed.change(since, heartbeatMs, service.ending.signal)
      await Bun.sleep(service.feeds.stagger)
      if (service.ending.signal.aborted) {
        yield `retry: ${retryMs}\nevent: stopping\ndata: {}\n\n`
        return
      }
      if (Date.now() - spoke < heartbeatMs) continue
      yield ": still there\n\n"
      spoke = Date.now()
    }
  } finally {
    leave()
  }
}

/** Returns the kind of event for a change; undefined if there is none. */
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

const withoutInput = ({ input: _, ...run }: RunRow) => run

const encoder = new TextEncoder()

/** Serialized once for all listeners, without the run's input, which may be large. */
function runEvent(type: string, run: RunRow, root: string, made: Look["made"]): Uint8Array {
  const name = `${type} ${root}`
  const known = made.get(name)
  if (known) return known
  const bytes = encoder.encode(event(type, visibleRun(withoutInput(run), root)))
  made.set(name, bytes)
  return bytes
}

function event(type: string, data: unknown, id?: number): string {
  const head = id === undefined ? "" : `id: ${id}\n`
  return `${head}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
