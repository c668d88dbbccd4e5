import type { HostPace } from "../../catalogue/define.ts"
import { type OutcomeMessage, outcomeFromMessage, outcomeToMessage } from "../outcome-message.ts"
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
  | { ask: "release"; id: number; report: PaceReport }
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
      permits.get(data.id)?.release(data.report)
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

/** The pacer as a worker has it. */
export class RemotePacer implements PaceBroker {
  private nextId = 1
  private readonly pending = new Map<
    number,
    { resolve(permit: Permit): void; reject(reason: unknown): void; onWait?: PaceRequest["onWait"] }
  >()

  constructor(private readonly port: Port) {
    port.onmessage = ({ data }: MessageEvent<Reply>) => this.receive(data)
  }

  private receive(reply: Reply): void {
    const waiting = this.pending.get(reply.id)
    if (!waiting) {
      // Granted after the request was given up.
      if ("granted" in reply) this.port.postMessage({ ask: "release", id: reply.id, report: "ok" })
      return
    }
    if ("waits" in reply) {
      waiting.onWait?.(reply.waits, reply.milliseconds)
      return
    }
    this.pending.delete(reply.id)
    if ("failure" in reply) waiting.reject(outcomeFromMessage(reply.failure))
    else {
      const release = (report: PaceReport) =>
        this.port.postMessage({ ask: "release", id: reply.id, report })
      waiting.resolve({ release })
    }
  }

  acquire(request: PaceRequest, signal?: AbortSignal): Promise<Permit> {
    const id = this.nextId++
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject, onWait: request.onWait })
      signal?.addEventListener(
        "abort",
        () => {
          if (!this.pending.delete(id)) return
          this.port.postMessage({ ask: "cancel", id })
          reject(signal.reason)
        },
        { once: true },
      )
      this.port.postMessage({ ask: "acquire", id, host: request.host, limits: request.limits })
    })
  }
}
