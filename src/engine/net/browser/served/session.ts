import { type Connection, serve } from "../../../../base/rpc.ts"
import { BadInput } from "../../../../catalogue/kit/index.ts"
import type { Link } from "../lease/link.ts"
import type { BrowserPort } from "../lease/protocol.ts"
import type { ServedBrowser, Welcome } from "./protocol.ts"
import { checkFetch, checkOpen, checkStep } from "./requests.ts"
import { SocketPort } from "./socket-port.ts"

export interface SessionOptions {
  /** Link to the browser thread. */
  link: Link
  welcome: Welcome
  send(bytes: Uint8Array<ArrayBuffer>): void
  /** Refuses new leases during shutdown. @throws */
  requireOpen(): void
  /** Maximum concurrent calls. */
  max: number
}

const maxMethod = 20

/**
 * A caller of a served browser: its calls are validated here and executed in the browser thread.
 */
export class Session {
  /** Calls without a response so far. */
  running = 0
  private readonly port: SocketPort
  private readonly abort: () => void
  private readonly name = crypto.randomUUID()
  private connection: Promise<Connection<BrowserPort>> | undefined

  constructor(private readonly options: SessionOptions) {
    this.port = new SocketPort((bytes) => options.send(bytes))
    // With a null prototype, callers can use no method but these.
    this.abort = serve<ServedBrowser>(this.port, Object.assign(Object.create(null), this.methods()))
  }

  /** @throws if it is not a valid message, or has too many calls */
  receive(bytes: Uint8Array): void {
    this.port.receive(bytes, requireCall)
  }

  end(): void {
    this.abort()
  }

  private methods(): ServedBrowser {
    const { welcome, requireOpen } = this.options
    return {
      welcome: async () => welcome,
      ping: async () => {},
      fetch: async (request, signal) => {
        requireOpen()
        checkFetch(request)
        return this.call(({ fetch }) => fetch(this.ours(request), signal))
      },
      open: async (lease, request) => {
        requireOpen()
        checkOpen(request)
        return this.call(({ open }) => open(lease, this.ours(request)))
      },
      step: async (lease, step, args, onScreenshot) => {
        checkStep(step, args)
        if (onScreenshot !== undefined && typeof onScreenshot !== "function") {
          throw new BadInput("The screenshot callback must be a function.")
        }
        return this.call((chrome) => chrome.step(lease, step, args, onScreenshot))
      },
      close: async (lease) => this.call(({ close }) => close(lease)),
      cancel: async (lease) => this.call(({ cancel }) => cancel(lease)),
      release: async (owner) => this.call(({ release }) => release(this.owner(owner))),
    }
  }

  /** Callers share a Chrome, but never a context. */
  private owner(owner: string): string {
    return `${this.name} ${owner}`
  }

  private ours<R extends { owner: string }>(request: R): R {
    return { ...request, owner: this.owner(request.owner) }
  }

  private async call<R>(
    work: (chrome: Connection<BrowserPort>["calls"]) => Promise<R>,
  ): Promise<R> {
    if (this.running >= this.options.max)
      throw new Error(`Too many concurrent calls; the maximum is ${this.options.max}.`)
    this.running++
    try {
      return await work((await this.chrome()).calls)
    } finally {
      this.running--
    }
  }

  private chrome(): Promise<Connection<BrowserPort>> {
    this.connection ??= this.options.link(() => {
      this.connection = undefined
    })
    return this.connection
  }
}

/** Validates a call of base/rpc.ts, or its cancellation. @throws Error */
function requireCall(message: unknown): void {
  const { id, method, args, signal, functions, abort, reason } = Object(message)
  const isIndex = (index: unknown) => Number.isInteger(index) && Number(index) in args
  const isCall =
    Number.isInteger(id) &&
    typeof method === "string" &&
    method.length <= maxMethod &&
    Array.isArray(args) &&
    (signal === undefined || isIndex(signal)) &&
    (functions === undefined || (Array.isArray(functions) && functions.every(isIndex)))
  if (abort === undefined ? isCall : Number.isInteger(abort) && Object(reason) === reason) return
  throw new Error("The message is not a valid call.")
}
