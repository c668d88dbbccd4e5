import { totalmem } from "node:os"
import { residentBytes } from "../../../base/process-usage.ts"
import type { WorkerHandle } from "./handle.ts"

/** Of the memory that this process may have: the rest is for what answers, and for the system. */
const maxPart = 0.85
const lookMs = 500
/** A thread that does not say in this time how much it holds is in the midst of what takes it. */
const responseMs = 500
/** What an ended thread held is given back by then. */
const providedBackMs = 3000
/** A thread with less than this part of the limit is not what the memory is taken by. */
const minPart = 0.1

/** Bytes of the machine, or of the container where that has less. */
function memoryLimit(): number {
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()) * maxPart
}

/**
 * Ends the worker that takes most where the process has taken too much: else the system ends the whole
 * service, and with it what all others have in hand.
 */
export class MemoryWatch {
  private timer?: ReturnType<typeof setInterval> | undefined
  private isEnding = false

  constructor(
    private readonly workers: () => WorkerHandle[],
    private readonly limitBytes = memoryLimit(),
  ) {}

  start(): void {
    this.timer ??= setInterval(() => void this.look(), lookMs)
  }

  stop(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  private get isOver(): boolean {
    return residentBytes() > this.limitBytes
  }

  private async look(): Promise<void> {
    if (this.isEnding || !this.isOver) return
    this.isEnding = true
    const [most] = await this.heaviest()
    if (most && this.isOver) {
      most.fail("it takes too much memory")
      await Bun.sleep(providedBackMs)
    }
    this.isEnding = false
  }

  private async heaviest(): Promise<WorkerHandle[]> {
    const weighed = await Promise.all(
      this.workers().map(async (worker) => ({ worker, bytes: await worker.weigh(responseMs) })),
    )
    return weighed
      .filter(({ bytes }) => bytes > this.limitBytes * minPart)
      .sort((a, b) => b.bytes - a.bytes)
      .map(({ worker }) => worker)
  }
}
