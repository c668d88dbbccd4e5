import { connect, type Port, serve } from "../../base/rpc.ts"
import type { HostPace } from "../../catalogue/kit/index.ts"
import { abortable } from "../environment/clock.ts"
import type { PaceReport, PaceRequest, Pacer, Permit } from "./pacer.ts"

/** What a client asks for a request; the pacer itself, or the way to it. */
export interface PaceBroker {
  acquire(request: PaceRequest, signal?: AbortSignal): Promise<Permit>
}

/** The pacer as it is served to one worker: permits stay here, and are known by number over there. */
interface PacePort {
  acquire(
    host: string,
    limits: HostPace,
    isRendered: boolean,
    onWait?: PaceRequest["onWait"],
    signal?: AbortSignal,
  ): Promise<number>
  release(permit: number, report: PaceReport, holdMs?: number): void
}

/** Serves the pacer to one worker; the function that it returns frees all that the worker holds. */
export function servePace(pacer: Pacer, port: Port, owner: string): () => void {
  const permits = new Map<number, Permit>()
  let last = 0
  const end = serve<PacePort>(port, {
    async acquire(host, limits, isRendered, onWait, signal) {
      const request = { host, limits, owner, isRendered, ...(onWait && { onWait }) }
      const permit = await pacer.acquire(request, signal)
      permits.set(++last, permit)
      return last
    },
    release(number, report, holdMs) {
      permits.get(number)?.release(report, holdMs)
      permits.delete(number)
    },
  })
  return () => {
    end()
    pacer.drop(owner)
  }
}

/** The pacer as a worker has it. */
export function connectPace(port: Port): PaceBroker {
  const { calls, tells } = connect<PacePort>(port)
  return {
    async acquire(request, signal = new AbortController().signal) {
      const { host, limits, isRendered = false, onWait } = request
      const granted = calls.acquire(host, limits, isRendered, onWait, signal)
      try {
        const number = await abortable(granted, signal)
        return { release: (report, holdMs) => tells.release(number, report, holdMs) }
      } catch (error) {
        // It may have been granted just as it was given up.
        granted.then(
          (number) => tells.release(number, "failed"),
          () => {},
        )
        throw error
      }
    },
  }
}
