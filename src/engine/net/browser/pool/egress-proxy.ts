import { timingSafeEqual } from "node:crypto"
import { connect, createServer, isIP, type Server, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { BoundedMap } from "../../../../base/bounded-map.ts"
import { ScrapeError } from "../../../../catalogue/kit/index.ts"
import { ownLimit } from "../../egress/own-limit.ts"
import { ProxyFailure } from "../../http/proxy-choice.ts"

/** Returns the IP addresses that a host may be connected to. @throws EgressDenied | Unreachable */
export type ResolveChecked = (host: string, port: number) => Promise<string[]>

/**
 * Makes a connection through a proxy, or another one if that fails; null for a direct connection.
 */
export type Route = <T>(host: string, use: (proxy: string | null) => Promise<T>) => Promise<T>

interface Dialled {
  socket: Socket
  /** The operator's upstream proxy. */
  proxy?: URL
}

export interface EgressProxyOptions {
  resolve: ResolveChecked
  /** Other users of this machine can reach the port, so it requires a password. */
  password: string
  /** Checks requests that continue through an upstream proxy, which resolves names again. */
  checkProxied?: ResolveChecked
  /** Selects the upstream proxy of a connection. Default: none. */
  route?: Route
}

const headLimitBytes = 64 * 1024
/** Maximum remembered refusals, because pages may request any number of hosts. */
const knownDenials = 1000
const connectTimeoutMs = 15_000

/**
 * Chrome's only path to the network: a forward proxy on loopback (CONNECT and absolute-form) that
 * resolves each name, checks every IP address and connects to the checked one, so that neither
 * redirects nor DNS rebinding reach private addresses.
 */
export class EgressProxy {
  private readonly sockets = new Set<Socket>()
  private readonly authorization: Buffer
  private readonly denials = new BoundedMap<string, ScrapeError>(knownDenials)
  private constructor(
    private readonly server: Server,
    private readonly options: EgressProxyOptions,
    readonly port: number,
  ) {
    this.authorization = Buffer.from(basic("trawl", options.password))
    server.on("connection", (client) => this.accept(client))
  }

  static async start(options: EgressProxyOptions): Promise<EgressProxy> {
    const server = createServer({ pauseOnConnect: false })
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject)
      server.listen(0, "127.0.0.1", resolve)
    })
    const address = server.address()
    if (address === null || typeof address === "string") throw new Error("no port")
    return new EgressProxy(server, options, address.port)
  }

  /** Returns the reason why a host was last refused; undefined if it was not. */
  denial(host: string, port: number): ScrapeError | undefined {
    return this.denials.get(authorityOf(host, port))
  }

  private deny(authority: string, reason: ScrapeError): void {
    this.denials.set(authority, reason)
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
        if (head.length > headLimitBytes) client.destroy()
        return
      }
      client.off("data", onData)
      client.pause()
      // A refused connection gets no response, because an error page would look like the site's.
      this.serve(client, head.subarray(0, end).toString("latin1"), head.subarray(end + 4)).catch(
        () => client.destroy(),
      )
    }
    client.on("data", onData)
  }

  private async serve(client: Socket, head: string, rest: Buffer): Promise<void> {
    const [line = "", ...lines] = head.split("\r\n")
    const [method = "", target = "", version = "HTTP/1.1"] = line.split(" ")
    if (!this.isAuthorized(lines)) {
      client.end(unauthorized)
      return
    }
    if (method === "CONNECT") {
      const { host, port } = splitAuthority(target, 443)
      const { socket: upstream } = await this.dial(host, port)
      client.write("HTTP/1.1 200 Connection established\r\n\r\n")
      splice(client, upstream, rest)
      return
    }
    const url = new URL(target)
    if (url.protocol !== "http:")
      throw new Error(`Only http is supported here, not ${url.protocol}`)
    const { socket: upstream, proxy } = await this.dial(url.hostname, Number(url.port || 80), true)
    const path = proxy ? url.href : `${url.pathname}${url.search}`
    // One request per connection, because a second one could name another host.
    const forwarded = lines.filter((header) => !/^(?:proxy-|connection:|keep-alive:)/i.test(header))
    const upgrade = lines.some((header) => /^upgrade:/i.test(header))
    const auth = proxy && authorizationOf(proxy)
    const headers = [
      ...forwarded,
      upgrade ? "Connection: Upgrade" : "Connection: close",
      ...(auth ? [`Proxy-Authorization: ${auth}`] : []),
    ]
    upstream.write(`${method} ${path} ${version}\r\n${headers.join("\r\n")}\r\n\r\n`)
    splice(client, upstream, rest)
  }

  private isAuthorized(lines: string[]): boolean {
    const credentials = lines.flatMap(
      (header) => /^proxy-authorization: *(.*)$/i.exec(header)?.[1] ?? [],
    )
    const sent = Buffer.from(credentials[0] ?? "")
    return sent.length === this.authorization.length && timingSafeEqual(sent, this.authorization)
  }

  /** Connects to a checked IP address of the host, or to the upstream proxy. */
  private async dial(host: string, port: number, plain = false): Promise<Dialled> {
    const trimmed = host.replace(/^\[|\]$/g, "")
    const authority = authorityOf(trimmed, port)
    const { resolve, checkProxied = resolve, route } = this.options
    this.denials.delete(authority)
    const use = async (proxy: string | null) => {
      if (proxy === null) return { socket: await this.direct(await resolve(trimmed, port), port) }
      await checkProxied(trimmed, port)
      return this.byProxy(new URL(proxy), authority, plain)
    }
    try {
      return await (route ? route(trimmed, use) : use(null))
    } catch (error) {
      const own = ownLimit(error, authority)
      if (own || error instanceof ScrapeError) this.deny(authority, own ?? (error as ScrapeError))
      throw own ?? error
    }
  }

  private async direct(addresses: readonly string[], port: number): Promise<Socket> {
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
    throw failure ?? new Error("The host has no IP address")
  }

  private async byProxy(proxy: URL, authority: string, plain: boolean): Promise<Dialled> {
    const name = proxy.hostname.replace(/^\[|\]$/g, "")
    const isSecure = proxy.protocol === "https:"
    const port = Number(proxy.port || (isSecure ? 443 : 80))
    const socket = await open(name, port, isSecure).catch((error) => {
      throw ownLimit(error, name) ?? proxyFailure(proxy, "it cannot be reached")
    })
    this.keep(socket)
    if (plain) return { socket, proxy }
    const auth = authorizationOf(proxy)
    socket.write(
      `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n${auth ? `Proxy-Authorization: ${auth}\r\n` : ""}\r\n`,
    )
    const response = await connected(socket)
    if (/^HTTP\/1\.[01] 2\d\d/.test(response)) return { socket, proxy }
    socket.destroy()
    if (/^HTTP\/1\.[01] 407/.test(response)) throw proxyFailure(proxy, "407")
    throw new Error(`the proxy returned ${response}`)
  }
}

/** Names the proxy only by its host, because its URL contains a password. */
function proxyFailure({ host }: URL, why: string): ProxyFailure {
  return new ProxyFailure(`The proxy ${host} failed: ${why}.`, "connection")
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (!username) return undefined
  return basic(decodeURIComponent(username), decodeURIComponent(password))
}

const unauthorized = [
  "HTTP/1.1 407 Proxy Authentication Required",
  'Proxy-Authenticate: Basic realm="trawl"',
  "Content-Length: 0",
  "Connection: close",
  "\r\n",
].join("\r\n")

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`
}

function authorityOf(host: string, port: number): string {
  const name = host.toLowerCase()
  return name.includes(":") ? `[${name}]:${port}` : `${name}:${port}`
}

function splitAuthority(authority: string, fallback: number): { host: string; port: number } {
  const match = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(authority)
  if (!match) throw new Error(`"${authority}" is not a valid host and port`)
  return { host: match[1]!, port: Number(match[2] ?? fallback) }
}

function open(host: string, port: number, isSecure = false): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const servername = isIP(host) ? {} : { servername: host }
    const socket: Socket = isSecure
      ? connectTls({ host, port, ...servername })
      : connect({ host, port })
    const timer = setTimeout(
      () => socket.destroy(new Error("connecting took too long")),
      connectTimeoutMs,
    )
    socket.once("error", (error) => {
      clearTimeout(timer)
      reject(error)
    })
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      clearTimeout(timer)
      resolve(socket)
    })
  })
}

/** The status line of the upstream proxy's response to CONNECT. */
function connected(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let head = ""
    const onData = (chunk: Buffer) => {
      head += chunk.toString("latin1")
      if (!head.includes("\r\n\r\n")) return
      socket.off("data", onData)
      socket.pause()
      resolve(head.split("\r\n")[0]!)
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
