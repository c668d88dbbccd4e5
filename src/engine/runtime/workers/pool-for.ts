import { availableParallelism } from "node:os"
import { threadUrl } from "../../../base/thread-url.ts"
import type { DispatcherOptions } from "./dispatcher-options.ts"
import { workerFrom } from "./handle.ts"
import { type PoolOptions, WorkerPool } from "./pool.ts"
import { workerContext } from "./worker-context.ts"

/** Creates the pool for a dispatcher's options. */
export function poolFor(options: DispatcherOptions, onDeath: PoolOptions["onDeath"]): WorkerPool {
  return new WorkerPool({
    startWorker: options.startWorker ?? workerFrom(threadUrl("worker.ts")),
    size: options.config.workers || availableParallelism(),
    runsPerWorker: options.runsPerWorker ?? 16,
    hangMs: options.hangMs ?? 20_000,
    idleMs: options.idleMs ?? 60_000,
    memoryBytes: options.memoryBytes,
    context: (isFree) => workerContext(options, isFree),
    onDeath,
  })
}
