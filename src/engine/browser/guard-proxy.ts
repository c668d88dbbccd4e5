import { connect, createServer, type Server, type Socket } from "node:net"
import { Outcome } from "../../catalogue/outcome.ts"

/** Says to which addresses a host may be connected. @throws EgressDenied | Unreachable */
export type ResolveChecked = (host: string, port: number) => Promise<string[]>

export interface GuardProxyOptions {
  resolve: ResolveChecked
  /** A proxy of the operator through which all goes on; it resolves names itself. */
  upstream?: URL
}

const headLimit = 64 * 1024
const connectTimeoutMs = 15_000

/**
 * The only way from Chrome to the network: a forward proxy on loopback (CONNECT and absolute-form)
 * that resolves each name, checks every address and dials the checked one, so that neither a
 * redirect nor a rebinding name reaches a private address.
 */
export class GuardProxy {
  private readonly sockets = new Set<Socket>()
  private readonly denials = new Map<string, Outcome>()
  private constructor(
    private readonly server: Server,
    private readonly options: GuardProxyOptions,
    readonly port: number,
  ) {
    server.on("connection", (client) => this.accept(client))
  }

  static async start(options: GuardProxyOptions): Promise<GuardProxy> {
    const server = createServer({ pauseOnConnect: false })
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(0, "127.0.0.1", resolve)
    })
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("no port")
    return new GuardProxy(server, options, address.port)
  }

  /** Why a host was last refused; undefined when it was not. */
  denial(host: string): Outcome | undefined {
    return this.denials.get(host.toLowerCase())
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    await new Promise<void>((resolve) => this.server.close(() => resolve()))
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket)
    socket.on("close", () => this.sockets.delete(socket))
    socket.on("error", () => socket.destroy())
  }

  private accept(client: Socket): void {
    this.keep(client)
    let head: Buffer = Buffer.alloc(0)
    const onData = (chunk: Buffer) => {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      const end = head.indexOf("\r\n\r\n")
      if (end < 0) {
        if (head.length > headLimit) client.destroy()
        return
      }
      client.off("data", onData)
      client.pause()
      // A refusal has no answer: an error page of ours would look like one of the site.
      this.serve(client, head.subarray(0, end).toString("latin1"), head.subarray(end + 4)).catch(
        () => client.destroy(),
      )
    }
    client.on("data", onData)
  }

  private async serve(client: Socket, head: string, rest: Buffer): Promise<void> {
    const [line = "", ...lines] = head.split("\r\n")
    const [method = "", target = "", version = "HTTP/1.1"] = line.split(" ")
    if (method === "CONNECT") {
      const { host, port } = splitAuthority(target, 443)
      const upstream = await this.dial(host, port)
      client.write("HTTP/1.1 200 Connection established\r\n\r\n")
      splice(client, upstream, rest)
      return
    }
    const url = new URL(target)
    if (url.protocol !== "http:") throw new Error(`Only http goes this way, not ${url.protocol}`)
    const upstream = await this.dial(url.hostname, Number(url.port || 80), true)
    const path = this.options.upstream ? url.href : `${url.pathname}${url.search}`
    // One request a connection: a second one could name another host.
    const kept = lines.filter((one) => !/^(?:proxy-|connection:|keep-alive:)/i.test(one))
    const upgrade = lines.some((one) => /^upgrade:/i.test(one))
    const auth = this.upstreamAuthorization()
    const headers = [
      ...kept,
      upgrade ? "Connection: Upgrade" : "Connection: close",
      ...(auth ? [`Proxy-Authorization: ${auth}`] : []),
    ]
    upstream.write(`${method} ${path} ${version}\r\n${headers.join("\r\n")}\r\n\r\n`)
    splice(client, upstream, rest)
  }

  private upstreamAuthorization(): string | undefined {
    const { upstream } = this.options
    if (!upstream?.username) return undefined
    const words = `${decodeURIComponent(upstream.username)}:${decodeURIComponent(upstream.password)}`
    return `Basic ${Buffer.from(words).toString("base64")}`
  }

  /** A connection to a checked address of the host, or through the operator's proxy. */
  private async dial(host: string, port: number, plain = false): Promise<Socket> {
    const bare = host.replace(/^\[|\]$/g, "")
    try {
      if (this.options.upstream) return await this.dialUpstream(bare, port, plain)
      this.denials.delete(bare.toLowerCase())
      const addresses = await this.options.resolve(bare, port)
      let failure: unknown
      for (const address of addresses) {
        try {
          const socket = await open(address, port)
          this.keep(socket)
          return socket
        } catch (error) {
          failure = error
        }
      }
      throw failure ?? new Error(`${host} has no address`)
    } catch (error) {
      if (error instanceof Outcome) this.denials.set(bare.toLowerCase(), error)
      throw error
    }
  }

  private async dialUpstream(host: string, port: number, plain: boolean): Promise<Socket> {
    const upstream = this.options.upstream!
    const socket = await open(upstream.hostname, Number(upstream.port || 80))
    this.keep(socket)
    if (plain) return socket
    const auth = this.upstreamAuthorization()
    const authority = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`
    socket.write(
      `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${auth ? `Proxy-Authorization: ${auth}\r\n` : ""}\r\n`,
    )
    await connected(socket)
    return socket
  }
}

function splitAuthority(authority: string, fallback: number): { host: string; port: number } {
  const match = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(authority)
  if (!match) throw new Error(`"${authority}" is no host and port`)
  return { host: match[1]!, port: Number(match[2] ?? fallback) }
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    const timer = setTimeout(
      () => socket.destroy(new Error("connecting took too long")),
      connectTimeoutMs,
    )
    socket.once("error", (error) => {
      clearTimeout(timer)
      reject(error)
    })
    socket.once("connect", () => {
      clearTimeout(timer)
      resolve(socket)
    })
  })
}

/** Waits for the upstream proxy's word on a CONNECT. */
function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let head = ""
    const onData = (chunk: Buffer) => {
      head += chunk.toString("latin1")
      if (!head.includes("\r\n\r\n")) return
      socket.off("data", onData)
      socket.pause()
      if (/^HTTP\/1\.[01] 2\d\d/.test(head)) resolve()
      else reject(new Error(`the proxy answered ${head.split("\r\n")[0]}`))
    }
    socket.on("data", onData)
    socket.once("close", () => reject(new Error("the proxy closed the connection")))
  })
}

function splice(client: Socket, upstream: Socket, rest: Buffer): void {
  if (rest.length > 0) upstream.write(rest)
  client.pipe(upstream)
  upstream.pipe(client)
  client.once("close", () => upstream.destroy())
  upstream.once("close", () => client.destroy())
  client.resume()
  upstream.resume()
}
