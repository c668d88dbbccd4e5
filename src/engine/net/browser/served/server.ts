import { createHash, timingSafeEqual } from "node:crypto"
import type { Server, ServerWebSocket } from "bun"
import { messageOf } from "../../../../base/error-message.ts"
import type { BrowserHost } from "../host.ts"
import { browserLost } from "../lease/lease-end.ts"
import { linkByHost } from "../lease/link.ts"
import { servedPath } from "../lease/remote-addresses.ts"
import { protocolVersion } from "./protocol.ts"
import { Session } from "./session.ts"

export interface ServingOptions {
  hostname: string
  port: number
  token: string
  /** Maximum open tabs over all callers. */
  tabs: number
  /** Version of Trawl. */
  version: string
  /** Receives notices for the operator. */
  onNote(message: string): void
}

interface Caller {
  session?: Session
  drop?: () => void
}
type Socket = ServerWebSocket<Caller>

const maxCallers = 64
const callsPerTab = 50
/** Maximum bytes of a message; the body of a form is the largest that a caller sends. */
const maxReceived = 32 * 1024 * 1024
/** Maximum unread bytes per caller; a screenshot and a PDF have up to 64 MB each. */
const maxUnread = 192 * 1024 * 1024
/**
 * Seconds after which a silent caller is disconnected; a lost machine does not respond to pings.
 */
const silenceSeconds = 60
const lookMs = 100

/** Serves this machine's Chrome to other Trawls over WebSockets, behind the local egress filter. */
export class BrowserServer {
  private readonly server: Server<Caller>
  private readonly callers = new Set<Socket>()
  private readonly token: Buffer
  private isStopping = false

  private constructor(
    private readonly host: BrowserHost,
    private readonly options: ServingOptions,
    private readonly identity: Awaited<ReturnType<BrowserHost["identify"]>>,
  ) {
    this.token = digest(`Bearer ${options.token}`)
    const { hostname, port } = options
    this.server = Bun.serve<Caller>({
      hostname,
      port,
      reusePort: false,
      development: false,
      fetch: (request, server) => this.response(request, server),
      websocket: {
        maxPayloadLength: maxReceived,
        backpressureLimit: maxUnread,
        closeOnBackpressureLimit: true,
        idleTimeout: silenceSeconds,
        sendPings: true,
        perMessageDeflate: false,
        open: (socket) => this.welcome(socket),
        message: (socket, message) => this.receive(socket, message),
        close: (socket) => this.leave(socket),
      },
    })
  }

  /** Starts Chrome first, because without it there is nothing to serve. @throws */
  static async start(host: BrowserHost, options: ServingOptions): Promise<BrowserServer> {
    return new BrowserServer(host, options, await host.identify())
  }

  get port(): number {
    return this.server.port ?? this.options.port
  }

  private async response(request: Request, server: Server<Caller>): Promise<Response | undefined> {
    const { pathname } = new URL(request.url)
    if (pathname.endsWith("/healthz")) return this.health()
    if (!pathname.endsWith(servedPath)) {
      return refusal(404, `Only ${servedPath} and /healthz exist here.`)
    }
    const sent = digest(request.headers.get("authorization") ?? "")
    if (!timingSafeEqual(sent, this.token)) {
      return refusal(
        401,
        "The token is missing or wrong: send it as Authorization: Bearer <token>.",
      )
    }
    if (this.isStopping) return refusal(503, "This browser is shutting down.")
    if (this.callers.size >= maxCallers) {
      return refusal(503, `${maxCallers} callers are connected, which is the maximum.`)
    }
    if (server.upgrade(request, { data: {} })) return undefined
    return refusal(426, "This is a WebSocket endpoint: set it in TRAWL_CHROME_WS of another Trawl.")
  }

  private async health(): Promise<Response> {
    const { chromes = 0, leases = 0 } = (await this.host.stats()) ?? {}
    const { version, tabs } = this.options
    const status = this.isStopping ? "stopping" : "ok"
    const connections = this.callers.size
    const body = { status, version, tabs, connections, chromes, leases }
    return Response.json(body, { status: this.isStopping ? 503 : 200 })
  }

  private welcome(socket: Socket): void {
    this.callers.add(socket)
    const { port1, port2 } = new MessageChannel()
    const { tabs, version } = this.options
    socket.data.drop = this.host.serve(port1)
    socket.data.session = new Session({
      link: linkByHost(port2),
      welcome: { protocol: protocolVersion, version, identity: this.identity },
      max: tabs * callsPerTab,
      send: (bytes) => void socket.sendBinary(bytes),
      requireOpen: () => {
        if (this.isStopping) throw browserLost(this.server.url.host, "stops.")
      },
    })
  }

  private receive(socket: Socket, message: string | Buffer): void {
    try {
      if (typeof message === "string") throw new Error("The message is text, not binary.")
      socket.data.session?.receive(message)
    } catch (error) {
      this.options.onNote(`A caller was disconnected: ${messageOf(error)}`)
      socket.close(1002, "sent an invalid call")
    }
  }

  /** Closes everything that the caller had open. */
  private leave(socket: Socket): void {
    this.callers.delete(socket)
    socket.data.session?.end()
    socket.data.drop?.()
  }

  /** Accepts nothing new, waits up to this time for open leases, then ends Chrome. */
  async stop(milliseconds: number): Promise<void> {
    this.isStopping = true
    const end = performance.now() + milliseconds
    while (performance.now() < end && (await this.isBusy())) await Bun.sleep(lookMs)
    for (const socket of this.callers) socket.close(1001, "stops.")
    await this.host.stop()
    await this.server.stop(true)
  }

  private async isBusy(): Promise<boolean> {
    if ([...this.callers].some(({ data }) => (data.session?.running ?? 0) > 0)) return true
    return ((await this.host.stats())?.leases ?? 0) > 0
  }
}

/** Digests have one length, so that the time of a comparison reveals nothing. */
const digest = (text: string) => createHash("sha256").update(text).digest()

function refusal(status: number, message: string): Response {
  return new Response(`${message}\n`, { status })
}
