import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadConfig } from "../../../../src/config/config.ts"
import { workerFrom } from "../../../../src/engine/runtime/workers/handle.ts"
import {
  createSupervisor,
  type Supervisor,
  type SupervisorOptions,
} from "../../../../src/engine/runtime/workers/supervisor.ts"
import { itemBodies } from "../../../../src/store/runs/items.ts"
import { runById } from "../../../../src/store/runs/runs.ts"
import { openThreadedStore, type ThreadedStore } from "../../../../src/store/store.ts"
import { providedDatabase } from "../../../migrated.ts"
import { workerUrl } from "./bundled.ts"

export interface Service {
  supervisor: Supervisor
  store: ThreadedStore
  dataDir: string
  troubles: string[]
  items(id: string): Promise<Record<string, unknown>[]>
  stop(milliseconds?: number): Promise<void>
}

type Settings = Partial<Omit<SupervisorOptions, "config">> & { runsPerAccount?: number }

/** A supervisor with its threads, on a new or a given data folder. */
export async function serve(settings: Settings = {}, folder?: string): Promise<Service> {
  const dataDir = folder ?? mkdtempSync(join(tmpdir(), "trawl-test-"))
  const store = openThreadedStore(providedDatabase(dataDir))
  const troubles: string[] = []
  const { runsPerAccount = 10, ...options } = settings
  const supervisor = createSupervisor({
    store,
    config: { ...loadConfig({}), dataDir, workers: 2, runsPerAccount },
    startWorker: workerFrom(await workerUrl),
    onError: (message) => troubles.push(message),
    ...options,
  })
  await supervisor.ready
  return {
    supervisor,
    store,
    dataDir,
    troubles,
    async items(id) {
      const run = await runById(store.db, id)
      const bodies: string[] = []
      for await (const body of itemBodies(store.db, run!.n)) bodies.push(body)
      return bodies.map((body) => JSON.parse(body))
    },
    async stop(milliseconds = 2000) {
      await supervisor.stop(milliseconds)
      await store.close()
    },
  }
}

export function removeFolder(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true })
}
