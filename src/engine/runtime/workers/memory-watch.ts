import { totalmem } from "node:os"
import { residentBytes } from "../../../base/process-usage.ts"
import type { WorkerHandle } from "./handle.ts"

/** Maximum share of the available memory; the rest is for the main thread and the system. */
const maxPart = 0.85
const lookMs = 500
/**
 * Milliseconds for a thread to report its heap; one that does not respond is probably the cause.
 */
const responseMs = 500
/** Milliseconds for the memory of an ended thread to be released. */
const providedBackMs = 3000
/** Minimum share of the limit for a thread to be the cause. */
const minPart = 0.1

/** Returns the memory of the machine or, if lower, of the container in bytes. */
function memoryLimit(): number {
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem()) * maxPart
}

/**
 * Ends the largest worker if the process uses too much memory. Otherwise the system would kill the
 * whole service with all its runs.
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
    const [max] = await this.heaviest()
    if (max && this.isOver) {
      max.fail("it uses too much memory")
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
