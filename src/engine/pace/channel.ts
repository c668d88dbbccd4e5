import type { HostPace } from "../../catalogue/kit/index.ts"
import {
  type OutcomeMessage,
  outcomeFromMessage,
  outcomeToMessage,
} from "../workers/outcome-message.ts"
import type { PaceReport, PaceRequest, Pacer, Permit, WaitReason } from "./pacer.ts"

/** What a client asks for a request; the pacer itself, or the way to it. */
export interface PaceBroker {
  acquire(request: PaceRequest, signal?: AbortSignal): Promise<Permit>
}

interface Port {
  postMessage(message: unknown): void
  onmessage: ((event: MessageEvent) => void) | null
}

type Ask =
  | { ask: "acquire"; id: number; host: string; limits: HostPace }
  | { ask: "cancel"; id: number }
  | { ask: "release"; id: number; report: PaceReport; holdMs?: number }
type Reply =
  | { id: number; granted: true }
  | { id: number; failure: OutcomeMessage }
  | { id: number; waits: WaitReason; milliseconds: number }

/** Serves the pacer to one worker; gives back how to free all that the worker holds. */
export function servePace(pacer: Pacer, port: Port, owner: string): () => void {
  const permits = new Map<number, Permit>()
  const cancels = new Map<number, AbortController>()
  const reply = (message: Reply) => port.postMessage(message)
  port.onmessage = ({ data }: MessageEvent<Ask>) => {
    if (data.ask === "release") {
      permits.get(data.id)?.release(data.report, data.holdMs)
      permits.delete(data.id)
      return
    }
    if (data.ask === "cancel") {
      cancels.get(data.id)?.abort()
      return
    }
    const { id, host, limits } = data
    const control = new AbortController()
    cancels.set(id, control)
    const onWait = (waits: WaitReason, milliseconds: number) => reply({ id, waits, milliseconds })
    pacer
      .acquire({ host, limits, owner, onWait }, control.signal)
      .then(
        (permit) => {
          permits.set(id, permit)
          reply({ id, granted: true })
        },
        (error) => reply({ id, failure: outcomeToMessage(error) }),
      )
      .finally(() => cancels.delete(id))
  }
  return () => {
    for (const control of cancels.values()) control.abort()
    pacer.drop(owner)
  }
}

interface Pending {
  grant(permit: Permit): void
  refuse(reason: unknown): void
  onWait?: PaceRequest["onWait"]
}

/** The pacer as a worker has it. */
export class RemotePacer implements PaceBroker {
  private nextId = 1
  private readonly pending = new Map<number, Pending>()

  constructor(private readonly port: Port) {
    port.onmessage = ({ data }: MessageEvent<Reply>) => this.receive(data)
  }

  private send(ask: Ask): void {
    this.port.postMessage(ask)
  }

  private receive(reply: Reply): void {
    const { id } = reply
    const waiting = this.pending.get(id)
    if ("waits" in reply) {
      waiting?.onWait?.(reply.waits, reply.milliseconds)
      return
    }
    this.pending.delete(id)
    if ("failure" in reply) waiting?.refuse(outcomeFromMessage(reply.failure))
    else if (!waiting) {
      // Granted after the request was given up.
      this.send({ ask: "release", id, report: "failed" })
    } else {
      const release: Permit["release"] = (report, holdMs) =>
        this.send({ ask: "release", id, report, ...(holdMs ? { holdMs } : {}) })
      waiting.grant({ release })
    }
  }

  async acquire(request: PaceRequest, signal?: AbortSignal): Promise<Permit> {
    signal?.throwIfAborted()
    const id = this.nextId++
    const { promise, resolve, reject } = Promise.withResolvers<Permit>()
    const leave = () => {
      this.pending.delete(id)
      this.send({ ask: "cancel", id })
      reject(signal?.reason)
    }
    this.pending.set(id, { grant: resolve, refuse: reject, onWait: request.onWait })
    this.send({ ask: "acquire", id, host: request.host, limits: request.limits })
    signal?.addEventListener("abort", leave, { once: true })
    return promise.finally(() => signal?.removeEventListener("abort", leave))
  }
}
