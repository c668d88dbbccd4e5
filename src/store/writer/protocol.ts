import type { VerbArguments, VerbResult, WriteVerb } from "../verbs/verbs.ts"
import type { Writer } from "./group-writer.ts"

/** The end of a channel, as threads and their workers have it. */
export interface Port {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
}

/** A change asked of the writer's thread; `id` pairs it with its reply. */
export interface WriteRequest {
  id: number
  verb: WriteVerb
  args: unknown
}

export type WriteReply =
  | { id: number; value: unknown }
  | { id: number; error: { name: string; message: string; code?: string } }

/** Carries out what comes in at a port. */
export function serveWriter(writer: Writer, port: Port): void {
  port.onmessage = async ({ data }: MessageEvent<WriteRequest>) => {
    const { id, verb, args } = data
    try {
      const value = await writer.write(verb, args as VerbArguments<typeof verb>)
      port.postMessage({ id, value } satisfies WriteReply)
    } catch (error) {
      port.postMessage({ id, error: describe(error) } satisfies WriteReply)
    }
  }
}

function describe(error: unknown): { name: string; message: string; code?: string } {
  const { name, message, code } = error as { name?: string; message?: string; code?: string }
  return { name: name ?? "Error", message: message ?? String(error), ...(code ? { code } : {}) }
}

interface Waiting {
  resolve(value: unknown): void
  reject(reason: unknown): void
}

/** Changes that one port may have under way; further ones wait in their own thread. */
const maxUnderWay = 256

/** Has changes made by the writer's thread, over a port to it. */
export class PortWriter implements Writer {
  private readonly waiting = new Map<number, Waiting>()
  private readonly held: (WriteRequest & Waiting)[] = []
  private onSettled?: () => void
  private nextId = 1

  constructor(private readonly port: Port) {
    port.onmessage = ({ data }: MessageEvent<WriteReply>) => this.receive(data)
  }

  write<V extends WriteVerb>(verb: V, args: VerbArguments<V>): Promise<VerbResult<V>> {
    return new Promise((resolve, reject) => {
      const request = { id: this.nextId++, verb, args }
      const waiting = { resolve: resolve as Waiting["resolve"], reject }
      if (this.waiting.size < maxUnderWay) this.send(request, waiting)
      else this.held.push({ ...request, ...waiting })
    })
  }

  private send({ id, verb, args }: WriteRequest, waiting: Waiting): void {
    this.waiting.set(id, waiting)
    this.port.postMessage({ id, verb, args } satisfies WriteRequest)
  }

  private receive(reply: WriteReply): void {
    const waiting = this.waiting.get(reply.id)
    this.waiting.delete(reply.id)
    const next = this.held.shift()
    if (next) this.send(next, next)
    if ("error" in reply) {
      const { name, message, code } = reply.error
      waiting?.reject(Object.assign(new Error(message), { name, ...(code ? { code } : {}) }))
    } else waiting?.resolve(reply.value)
    if (this.waiting.size === 0) this.onSettled?.()
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    if (this.waiting.size === 0) return
    await new Promise<void>((resolve) => {
      this.onSettled = resolve
    })
  }

  /** Rejects everything under way: there is nobody left to carry it out. */
  fail(error: Error): void {
    const all = [...this.waiting.values(), ...this.held]
    this.waiting.clear()
    this.held.length = 0
    for (const one of all) one.reject(error)
  }

  async close(): Promise<void> {
    this.fail(new Error("The store is closed."))
  }
}
