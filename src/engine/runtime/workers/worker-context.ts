import { resolve } from "node:path"
import type { OwnStore } from "../../../store/store.ts"
import { type FileSettings, fileSettings } from "../../net/files/files.ts"
import type { WorkerStart } from "./worker-interface.ts"

/** Serves one worker at a port, from its start until the function that this returns is called. */
export type WorkerService = (port: MessagePort) => () => void

export interface WorkerContextOptions {
  store: OwnStore
  config: FileSettings
  /** What the workers make their environment from; plain data. Default: the config. */
  settings?: unknown
  /** What all workers share, by the name under which src/worker.ts asks for it. */
  services?: Record<string, WorkerService>
  /** A run that does not heed its end is left alone after this time. Default 10,000. */
  unresponsiveMs?: number
  /** Set if runs are traced. */
  onSpans?: unknown
}

/** What a new worker is given, and how to release what it holds of the services. */
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
