import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sharedServices } from "../app/environment-services.ts"
import { messageOf } from "../base/error-message.ts"
import { every } from "../base/every.ts"
import { minuteMs } from "../base/time.ts"
import type { Config } from "../config/config.ts"
import { FolderStorage } from "../engine/net/files/folder-storage.ts"
import { purge } from "../engine/ops/background/purge.ts"
import { createSupervisor } from "../engine/runtime/workers/supervisor.ts"
import { openThreadedStore } from "../store/store.ts"

const graceMs = 5000

/** An engine with its own temporary folder, so that several processes can run at the same time. */
export function startEngine(name: string, config: Config) {
  const dataDir = mkdtempSync(join(tmpdir(), `trawl-${name}-`))
  const store = openThreadedStore(dataDir)
  // Files are in this folder, too, and have only a path.
  const { baseUrl: _, s3Bucket: __, ...rest } = config
  const here = { ...rest, dataDir }
  // The user who starts this command is the operator, and no account is charged.
  const shared = sharedServices({ ...config, keylessSecrets: ["all"] })
  const runs = createSupervisor({
    store,
    config: here,
    settings: shared.settings,
    services: shared.services,
  })
  const upkeep = every(minuteMs, (stopped) => purge(store, here, stopped), {
    onError: (error) => console.error(messageOf(error)),
  })
  const stop = async () => {
    await runs.stop(graceMs)
    await upkeep.stop()
    await shared.stop()
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { store, runs, files: new FolderStorage(dataDir), stop }
}
