import { resolve } from "node:path"
import type { OwnStore } from "../../../store/store.ts"
import { type FileSettings, fileSettings } from "../../net/files/files.ts"
import type { WorkerStart } from "./worker-interface.ts"

/** Serves one worker over a port until the returned function is called. */
export type WorkerService = (port: MessagePort) => () => void

export interface WorkerContextOptions {
  store: OwnStore
  config: FileSettings
  /** Settings from which workers create their environment, as plain data. Default: the config. */
  settings?: unknown
  /** Services shared by all workers, by the names in src/worker.ts. */
  services?: Record<string, WorkerService>
  /** Milliseconds after which a run that ignores its abort is abandoned. Default: 10,000. */
  unresponsiveMs?: number
  /** Set if runs are traced. */
  onSpans?: unknown
}

/** The context of a new worker, and a function that releases its use of the services. */
export interface WorkerContext {
  start: WorkerStart
  drop(): void
}

export function workerContext(options: WorkerContextOptions, isFree: boolean): WorkerContext {
  const { store, config, settings = config, services = {}, unresponsiveMs = 10_000 } = options
  const ports: Record<string, MessagePort> = {}
  const drops: (() => void)[] = []
  for (const [name, serve] of Object.entries(services)) {
    const { port1, port2 } = new MessageChannel()
    ports[name] = port2
    const drop = serve(port1)
    drops.push(() => {
      drop()
      port1.close()
    })
  }
  return {
    start: {
      database: store.database,
      settings,
      files: { ...fileSettings(config), dataDir: resolve(config.dataDir) },
      unresponsiveMs,
      isFree,
      isTraced: options.onSpans !== undefined,
      writer: store.connect(),
      services: ports,
    },
    drop() {
      for (const drop of drops) drop()
    },
  }
}
