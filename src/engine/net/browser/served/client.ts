import { messageOf } from "../../../../base/error-message.ts"
import { type Connection, connect } from "../../../../base/rpc.ts"
import type { ChromeIdentity, IdentityStore } from "../chrome/identity.ts"
import { browserLost, isBrowserLost } from "../lease/lease-end.ts"
import { type RemoteAddress, withoutAddresses } from "../lease/remote-addresses.ts"
import type { Lease, LeaseRequest, NetLeaseRequest } from "../pool/lease.ts"
import type { LeasingStats, Remote } from "../pool/leasing.ts"
import { tabOf } from "../pool/steps.ts"
import { protocolVersion, type ServedBrowser, type Welcome } from "./protocol.ts"
import { SocketPort } from "./socket-port.ts"

const connectMs = 10_000

interface Connected extends Connection<ServedBrowser> {
  welcome: Welcome
  close(): void
}

/**
 * A remote browser served by another Trawl (`trawl browser serve`), behind the egress filter there.
 */
export class ServedRemote implements Remote {
  private connection: Promise<Connected> | undefined
  private nextLease = 1
  private leases = 0
  private welcome?: Welcome

  constructor(
    private readonly address: RemoteAddress,
    private readonly identity?: IdentityStore,
  ) {}

  async ready(): Promise<void> {
    await this.connected()
  }

  private connected(): Promise<Connected> {
    if (this.connection) return this.connection
    const connection = this.connect()
    this.connection = connection
    connection.catch(() => this.forget(connection))
    return connection
  }

  private forget(connection: Promise<Connected>): void {
    if (this.connection === connection) this.connection = undefined
  }

  private connect(): Promise<Connected> {
    const { url, token = "", name } = this.address
    // The token is sent in a header, because proxies log URLs.
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } } as never)
    socket.binaryType = "arraybuffer"
    const port = new SocketPort((bytes) => socket.send(bytes))
    const connection = connect<ServedBrowser>(port)
    const { promise, resolve, reject } = Promise.withResolvers<Connected>()
    const close = () => socket.close()
    const fail = (reason: string) => {
      clearTimeout(late)
      reject(new Error(reason))
      connection.fail(browserLost(name, reason))
      this.forget(promise)
      close()
    }
    const late = setTimeout(() => fail("does not respond."), connectMs)
    socket.onopen = () => {
      connection.calls.welcome().then(
        (welcome) => {
          clearTimeout(late)
          if (welcome.protocol !== protocolVersion) {
            return fail(`is Trawl ${welcome.version}; both need the same version of Trawl.`)
          }
          this.welcome = welcome
          const { identity } = welcome
          if (this.identity?.load()?.version !== identity.version) this.identity?.save(identity)
          resolve({ ...connection, welcome, close })
        },
        (error) => fail(messageOf(error)),
      )
    }
    socket.onmessage = ({ data }) => {
      try {
        port.receive(new Uint8Array(data as ArrayBuffer))
      } catch (error) {
        fail(`sent an invalid message (${messageOf(error)}).`)
      }
    }
    socket.onerror = (event) => fail(reasonOf((event as ErrorEvent).message))
    socket.onclose = ({ reason }) => fail(reason || "closed the connection.")
    return promise
  }

  async lease({ signal, onScreenshot, ...request }: LeaseRequest): Promise<Lease> {
    const number = this.nextLease++
    const { calls } = await this.connected()
    const cancel = () => void calls.cancel(number).catch(() => {})
    signal?.throwIfAborted()
    signal?.addEventListener("abort", cancel, { once: true })
    this.leases++
    const over = () => {
      this.leases--
      signal?.removeEventListener("abort", cancel)
    }
    try {
      await calls.open(number, { ...request, screenshots: onScreenshot !== undefined })
    } catch (error) {
      over()
      throw this.reported(error)
    }
    return {
      visit: tabOf(calls, number, onScreenshot),
      close: () =>
        calls
          .close(number)
          .catch(() => [])
          .finally(over),
    }
  }

  async fetch({ signal, ...request }: NetLeaseRequest) {
    const { calls } = await this.connected()
    try {
      return await calls.fetch(request, signal ?? new AbortController().signal)
    } catch (error) {
      throw this.reported(error)
    }
  }

  /** A browser that is stopping accepts no leases: it is backed off until it is back. */
  private reported(error: unknown): unknown {
    if (isBrowserLost(error)) this.connection = undefined
    return error
  }

  async releaseOwner(owner: string): Promise<void> {
    const connected = await this.connection?.catch(() => undefined)
    await connected?.calls.release(owner).catch(() => {})
  }

  async learn(): Promise<ChromeIdentity> {
    return (await this.connected()).welcome.identity
  }

  async ping(): Promise<void> {
    // A browser that has never been used may not be running yet.
    if (!this.welcome) return
    await (await this.connected()).calls.ping()
  }

  async drop(): Promise<void> {
    const { connection } = this
    this.connection = undefined
    const connected = await connection?.catch(() => undefined)
    connected?.fail(browserLost(this.address.name, "no longer responds."))
    connected?.close()
  }

  stats(): LeasingStats {
    return { chromes: this.connection ? 1 : 0, contexts: 0, leases: this.leases }
  }

  stop(): Promise<void> {
    return this.drop()
  }
}

/** Bun reports a refused connection by its status. */
function reasonOf(message = ""): string {
  if (/\b401\b/.test(message)) return "refused the token."
  return message ? `does not respond (${withoutAddresses(message)}).` : "does not respond."
}
