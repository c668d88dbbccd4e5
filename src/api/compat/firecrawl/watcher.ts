import type { ServerWebSocket } from "bun"
import { isOver } from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { ApiError } from "../../http/errors.ts"
import type { Socket } from "../../http/sockets.ts"
import type { Call, Service } from "../../service.ts"
import { ownRunOf } from "../common/account-run.ts"
import type { Work } from "../common/refusal.ts"
import { documentsOf, jobSlugs, statusOf } from "./jobs.ts"
import type { Version } from "./options.ts"

const protocolHeader = "sec-websocket-protocol"
/** Maximum watched jobs per account. */
const maxWatchers = 20
/** Interval at which an unchanged job is read again. */
const gracePeriodMs = 15_000
/** Minimum time between two reads of a job that changes often. */
const pauseMs = 200
/** A line number that excludes all log lines. */
const noLog = Number.MAX_SAFE_INTEGER

/** The status route of a job as a WebSocket, for clients that watch it. */
export function watchedJob(
  service: Service,
  { version, status }: { version: Version; status: Work },
): Work {
  const watchers = new Map<string, number>()
  const count = (accountId: string, more: number) => {
    const now = (watchers.get(accountId) ?? 0) + more
    if (now > 0) watchers.set(accountId, now)
    else watchers.delete(accountId)
    return now
  }
  return async (call, params) => {
    const { request, server } = call
    if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return status(call, params)
    readKey(call)
    const run = await ownRunOf(service, call, params.id!, jobSlugs)
    const accountId = run.account_id!
    if ((watchers.get(accountId) ?? 0) >= maxWatchers) {
      throw new ApiError(
        429,
        `An account can watch ${maxWatchers} jobs at the same time. Close one first.`,
      )
    }
    const protocol = request.headers.get(protocolHeader)
    const upgraded = server?.upgrade(request, {
      data: new JobSocket({
        service,
        run,
        version,
        root: service.root(call),
        onClose: () => count(accountId, -1),
      }),
      headers: protocol === null ? {} : { [protocolHeader]: protocol },
    })
    if (!upgraded) throw new ApiError(400, "The connection could not be upgraded to a WebSocket.")
    count(accountId, 1)
    // The runtime has already responded; this response is for the log.
    return new Response(null, { status: 101 })
  }
}

/** Browsers cannot send headers with a WebSocket, so clients send the key as the protocol. */
function readKey({ request: { headers } }: Call): void {
  if (headers.has("authorization")) return
  const key = headers.get(protocolHeader)
  if (!key) throw new ApiError(401, "An API key is required: send it as the WebSocket's protocol.")
  headers.set("authorization", `Bearer ${key}`)
}

interface Watched {
  service: Service
  run: RunRow
  version: Version
  root: string
  onClose(): void
}

/** Sends the documents of a job as they are read, then its final status. */
class JobSocket implements Socket {
  private readonly closing = new AbortController()
  private drain: PromiseWithResolvers<void> | undefined

  constructor(private readonly watched: Watched) {}

  opened(socket: ServerWebSocket<Socket>): void {
    const work = this.watch(socket).catch((error) => {
      this.watched.service.log.error({ error: String(error) }, "a job could not be watched")
      this.end(socket, { type: "error", error: "Internal error; see the service's log." })
    })
    void work
  }

  drained(): void {
    this.drain?.resolve()
  }

  closed(): void {
    this.closing.abort()
    this.drain?.resolve()
    this.watched.onClose()
  }

  private async watch(socket: ServerWebSocket<Socket>): Promise<void> {
    const { service, run: first, root } = this.watched
    const { feed, leave } = service.feeds.join(first.id)
    const ending = AbortSignal.any([this.closing.signal, service.ending.signal])
    try {
      let read = 0
      for (let isFirst = true; ; isFirst = false) {
        const since = feed.now
        const { run = first } = await feed.look(noLog)
        const data = await documentsOf(service, run, { root, skip: read })
        read += data.length
        const isLast = isOver(run.status) && data.length === 0
        if (isFirst) await this.catchUp(socket, run, data)
        else
          for (const document of data) await this.send(socket, { type: "document", data: document })
        if (ending.aborted) return
        if (isLast) return this.finish(socket, run)
        if (data.length > 0) continue
        await Bun.sleep(pauseMs)
        await feed.change(since, gracePeriodMs, ending)
        if (service.ending.signal.aborted)
          return socket.close(1001, "The service is shutting down.")
        if (ending.aborted) return
      }
    } finally {
      leave()
    }
  }

  /**
   * Sends the documents so far. The first message never reports the end, because clients close on
   * it.
   */
  private catchUp(socket: ServerWebSocket<Socket>, run: RunRow, data: object[]): Promise<void> {
    const status = { ...statusOf(this.watched.service, run), status: "scraping" }
    return this.send(socket, { type: "catchup", data: { success: true, ...status, data } })
  }

  private async finish(socket: ServerWebSocket<Socket>, run: RunRow): Promise<void> {
    const current = { ...statusOf(this.watched.service, run), data: [] }
    const { status, error = "The job was cancelled." } = current
    if (status === "completed") return this.end(socket, { type: "done" }, current)
    this.end(socket, { type: "error", error }, current)
  }

  /** Older clients read the final status from the close frame, newer ones from a message. */
  private end(
    socket: ServerWebSocket<Socket>,
    last: { type: string; error?: string },
    data?: Json,
  ) {
    if (this.watched.version === "v2") socket.send(JSON.stringify(messageOf(last, data)))
    const { type, error } = last
    const short = error?.replace(/[^\x20-\x7e]/g, "?").slice(0, maxReason)
    const reason = { type, ...(short && { error: short }) }
    socket.close(1000, JSON.stringify(reason))
  }

  private async send(socket: ServerWebSocket<Socket>, message: object): Promise<void> {
    if (this.closing.signal.aborted) return
    const sent = socket.send(JSON.stringify(message))
    if (sent >= 0) return
    // Back-pressure: reading continues after the client has received this.
    this.drain = Promise.withResolvers()
    await this.drain.promise
  }
}

type Json = Record<string, unknown>

/** A close frame has room for 123 bytes, and JSON may take two bytes per character. */
const maxReason = 45

/** Clients read a failed or cancelled job from its status. */
function messageOf(last: { type: string; error?: string }, data: Json | undefined): object {
  if (last.type === "done" || !data) return { ...last, ...(data && { data }) }
  return { type: "status", data }
}
