import { expect, test } from "bun:test"
import { ReadinessProbe } from "../../src/api/readiness.ts"
import type { Service } from "../../src/api/service.ts"
import { loadConfig } from "../../src/config/config.ts"
import { WorkerPool } from "../../src/engine/runtime/workers/pool.ts"

const dataDir = import.meta.dir

test("workers that cannot start are reported until one can", async () => {
  let starts = false
  const pool = new WorkerPool({
    startWorker: (onFailure) =>
      ({
        calls: {
          start: async () => {
            if (!starts) throw new Error("no thread is left")
            return null
          },
        },
        tells: { end() {} },
        end: (reason: string) => onFailure(reason),
      }) as never,
    size: 2,
    runsPerWorker: 1,
    hangMs: 1e6,
    idleMs: 1e6,
    context: () => ({ start: { services: {} } as never, drop() {} }),
    onDeath() {},
  })
  const runs = () => ({
    queued: 0,
    running: 0,
    workers: 1,
    heaps: [],
    workerIssue: pool.startIssue,
  })
  const service = {
    config: { ...loadConfig({}), dataDir },
    store: { write: async () => null },
    runtimeStats: { runs, chrome: async () => null },
  } as unknown as Service
  const reported = () => new ReadinessProbe(service).look()

  expect(await reported()).toMatchObject({
    status: "ready",
    workers: { state: "ok", message: null },
  })
  const failing = pool.assign({ id: "run_1", isSuspicious: false, isFree: false })!
  await failing.ready.catch(() => {})
  expect(await reported()).toMatchObject({
    status: "not_ready",
    workers: { state: "failing", message: "no thread is left" },
  })
  starts = true
  await pool.assign({ id: "run_2", isSuspicious: false, isFree: false })!.ready
  expect(await reported()).toMatchObject({ status: "ready", workers: { state: "ok" } })
  // Otherwise its supervisor would continue next to the tests of other files.
  await pool.end()
})
