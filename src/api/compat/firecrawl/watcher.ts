import type { ServerWebSocket } from "bun"
import { isOver } from "../../../store/runs/runs.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { ApiError } from "../../http/errors.ts"
import type { Socket } from "../../http/sockets.ts"
import type { Call, Service } from "../../service.ts"
import { ownRunOf } from "../common/account-run.ts"
import type { Work } from "../common/refusal.ts"
import { documentsOf, jobSlugs, standingOf } from "./jobs.ts"
import type { Version } from "./options.ts"

const protocolHeader = "sec-websocket-protocol"
/** Of one account. */
const maxWatchers = 20
/** A job that does not change is read again after this time. */
const gracePeriodMs = 15_000
/** Least time between two reads of a job that changes all the time. */
const pauseMs = 200
/** The log is not read: no line has this number. */
const noLog = Number.MAX_SAFE_INTEGER

/** A job's status route, which clients that watch the job open as a WebSocket. */
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
    takeKey(call)
    const run = await ownRunOf(service, call, params.id!, jobSlugs)
    const accountId = run.account_id!
    if ((watchers.get(accountId) ?? 0) >= maxWatchers) {
      throw new ApiError(429, `An account watches ${maxWatchers} jobs at a time. Close one.`)
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
    if (!upgraded) throw new ApiError(400, "The connection could not become a WebSocket.")
    count(accountId, 1)
    // The runtime has answered the call. This is for the log.
    return new Response(null, { status: 101 })
  }
}

/** Browsers can send no header with a WebSocket: its clients send the key as the protocol. */
function takeKey({ request: { headers } }: Call): void {
  if (headers.has("authorization")) return
  const key = headers.get(protocolHeader)
  if (!key) throw new ApiError(401, "An API key is needed: send it as the WebSocket's protocol.")
  headers.set("authorization", `Bearer ${key}`)
}

interface Watched {
  service: Service
  run: RunRow
  version: Version
  root: string
  onClose(): void
}

/** Sends the pages of a job as they are read, and how it ended. */
class JobSocket implements Socket {
  private readonly closing = new AbortController()
  private drain: PromiseWithResolvers<void> | undefined

  constructor(private readonly watched: Watched) {}

  opened(socket: ServerWebSocket<Socket>): void {
    const work = this.watch(socket).catch((error) => {
      this.watched.service.log.error({ error: String(error) }, "a job could not be watched")
      this.end(socket, { type: "error", error: "The service failed; its log says why." })
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
        if (service.ending.signal.aborted) return socket.close(1001, "The service stops.")
        if (ending.aborted) return
      }
    } finally {
      leave()
    }
  }

  /** A client closes when it reads that the job has ended: the first message never states it. */
  private catchUp(socket: ServerWebSocket<Socket>, run: RunRow, data: object[]): Promise<void> {
    const standing = { ...standingOf(this.watched.service, run), status: "scraping" }
    return this.send(socket, { type: "catchup", data: { success: true, ...standing, data } })
  }

  private async finish(socket: ServerWebSocket<Socket>, run: RunRow): Promise<void> {
    const standing = { ...standingOf(this.watched.service, run), data: [] }
    const { status, error = "The job was cancelled." } = standing
    if (status === "completed") return this.end(socket, { type: "done" }, standing)
    this.end(socket, { type: "error", error }, standing)
  }

  /** The older client reads the end from the close frame, the newer one from a message. */
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
    // The client is slow: nothing more is read until it has received this.
    this.drain = Promise.withResolvers()
    await this.drain.promise
  }
}

type Json = Record<string, unknown>

/** A close frame has room for 123 bytes, and JSON may take two for a character. */
const maxReason = 45

/** A job that failed or was cancelled is reported by its status, which clients take as its end. */
function messageOf(last: { type: string; error?: string }, data: Json | undefined): object {
  if (last.type === "done" || !data) return { ...last, ...(data && { data }) }
  return { type: "status", data }
}
