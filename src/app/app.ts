import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Server } from "bun"
import { createLink, linkUrl } from "../accounts/links.ts"
import { newSecret } from "../accounts/secrets.ts"
import { isAliveCall, responseAlive } from "../api/http/alive.ts"
import { type Socket, socketHandlers } from "../api/http/sockets.ts"
import { onceAMinute } from "../api/http/troubles.ts"
import { createLog } from "../api/log/log.ts"
import { reserveDescriptors } from "../base/descriptor-reserve.ts"
import { messageOf } from "../base/error-message.ts"
import { every } from "../base/every.ts"
import { hourMs, minuteMs, secondMs } from "../base/time.ts"
import { type Config, localRoot, publicRoot } from "../config/config.ts"
import { overridesName } from "../engine/fetch/site-constants/overrides-file.ts"
import { publishedName } from "../engine/fetch/site-constants/published.ts"
import { watchIdleConnections } from "../engine/ops/background/idle-connections.ts"
import { notifyAdministrators, watchDiskSpace } from "../engine/ops/background/operator-events.ts"
import { purge } from "../engine/ops/background/purge.ts"
import { Backups, backupFailed } from "../engine/ops/backups/backups.ts"
import { probesName } from "../engine/ops/health/names.ts"
import { LiveSettings } from "../engine/ops/settings/live.ts"
import { hasOwner } from "../store/accounts/accounts.ts"
import { lockFolder } from "../store/folder-lock.ts"
import { type OwnStore, openServedStore } from "../store/store.ts"
import { makeDataFolder } from "../store/upkeep/data-folder.ts"
import { removeServiceFile, writeServiceFile } from "../store/upkeep/service-file.ts"
import { workWaits } from "../store/upkeep/waiting.ts"
import type { WholeService } from "./bootstrap.ts"

export interface App {
  /** Public URL. */
  url: string
  port: number
  /** Shuts down gracefully: running targets have up to `milliseconds`, and the rest is requeued. */
  stop(milliseconds?: number): Promise<void>
}

/**
 * Returns whether the operator overrides parts of the service or reads its metrics, so that it
 * starts immediately.
 */
function hasOverrides({
  checks,
  upstreamsDaily,
  replay,
  env,
  dataDir,
  metricsAddress,
}: Config): boolean {
  return (
    checks ||
    upstreamsDaily ||
    replay.length > 0 ||
    metricsAddress !== undefined ||
    Object.keys(env).some((name) => name.startsWith("TRAWL_UPSTREAM_")) ||
    existsSync(join(dataDir, overridesName)) ||
    existsSync(join(dataDir, publishedName)) ||
    existsSync(join(dataDir, probesName))
  )
}

/**
 * Returns a link for creating the administrator's account; only while the service has no
 * administrator.
 */
async function ownerLink(store: OwnStore, url: string): Promise<{ ownerLink?: string }> {
  if (hasOwner(store.db)) return {}
  return {
    ownerLink: linkUrl(url, (await createLink(store, { kind: "owner", role: "owner" })).link),
  }
}

/** A service that is started again at once after a kill finds the lock of the killed process for a moment. */
const lockWaitMs = 2000

/**
 * Opens the data folder and listens. The rest of the service (bootstrap.ts: API, scrapers, runs) is
 * loaded at the first request, or immediately if work waits. Until then, it needs little more
 * memory than Bun and responds only to health checks. `words` formats a JSON line of the log for
 * people.
 * @throws if the port is in use, or another process uses the same data folder
 */
export async function startApp(config: Config, words?: (line: string) => string): Promise<App> {
  const { log, tail: logTail, flush } = createLog(config, words)
  const onError = onceAMinute((message) => log.error(message))

  makeDataFolder(config.dataDir)
  // Before the database is opened, which migrates it: a refused process must not change it.
  const unlock = lockFolder(config.dataDir, lockWaitMs)
  const store = await openServedStore(config).catch((error) => {
    unlock()
    throw error
  })
  store.watch((level, message) => log[level](message))
  const settings = await LiveSettings.open(config, store, (message) => log.warn(message))
  const logLevel = () => {
    log.level = config.logLevel
  }
  logLevel()
  settings.onChange(logLevel)

  const backups = new Backups(config)
  const operatorToken = `trawl_${newSecret()}`

  let loading: Promise<WholeService> | undefined
  const load = async (): Promise<WholeService> => {
    const { startWhole } = await import("./bootstrap.ts")
    const parts = { config, settings, store, log, logTail, onError, server, backups, operatorToken }
    const whole = await startWhole(parts)
    server.reload({ fetch: whole.fetch })
    return whole
  }
  const whole = () => {
    if (!loading) {
      loading = load()
      // Ends the process, like every other failure of the start.
      loading.catch((error) => queueMicrotask(() => Promise.reject(error)))
    }
    return loading
  }

  /** Loads the rest of the service if notifications were queued. */
  const notifying = async (reported: Promise<void>) => {
    await reported
    if (await workWaits(store.db)) await whole()
  }

  let stopping: Promise<void> | undefined
  const server: Server<Socket> = Bun.serve<Socket>({
    hostname: config.host,
    port: config.port,
    // A second Trawl on the same port must fail, not share it.
    reusePort: false,
    development: false,
    idleTimeout: 120,
    // The routes refuse bodies that are too large, in the error format of their API.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      if (isAliveCall(request)) {
        return responseAlive({ db: store.db, log, isStopping: stopping !== undefined }, request)
      }
      return (await whole()).fetch(request)
    },
    websocket: socketHandlers,
  })
  const port = server.port ?? config.port
  const url = publicRoot(config, port)
  // Runs immediately, because an earlier process may have left work.
  const upkeep = every(minuteMs, (stopped) => purge(store, config, stopped), {
    firstMs: 0,
    onError(error) {
      if (!store.hasReported(error)) onError(`Expired data could not be deleted: ${error}`)
    },
  })
  const saving = every(
    minuteMs,
    async () => {
      const made = await backups.poll()
      if (made) log.info({ backup: made.name, bytes: made.bytes }, "a backup was made")
    },
    {
      firstMs: 10 * secondMs,
      onError(error) {
        onError(backupFailed(error))
        notifying(
          notifyAdministrators(store, "backup.failed", { message: messageOf(error) }),
        ).catch((issue) => onError(`The administrators could not be notified: ${issue}`))
      },
    },
  )
  const diskSpace = every(hourMs, () => notifying(watchDiskSpace(store, config.dataDir)), {
    firstMs: minuteMs,
    onError: (error) => onError(`The free disk space could not be read: ${error}`),
  })
  const connections = watchIdleConnections(server, onError)
  const freeDescriptors = reserveDescriptors(() => server.closeIdleConnections())
  for (const warning of store.warnings) log.warn(warning)
  if (store.isShared || hasOverrides(config) || (await workWaits(store.db))) await whole()
  writeServiceFile(config.dataDir, { root: localRoot(config, port), token: operatorToken })
  log.info({ url, dataDir: config.dataDir, ...(await ownerLink(store, url)) }, "listening")

  const stop = async (milliseconds: number) => {
    log.info("stopping")
    removeServiceFile(config.dataDir)
    await (await loading)?.stop(milliseconds)
    await Promise.all([upkeep.stop(), saving.stop(), diskSpace.stop(), connections.stop()])
    freeDescriptors()
    await server.stop(true)
    await store.close()
    unlock()
    log.info("stopped")
    await flush()
  }
  return { url, port, stop: (milliseconds = 30_000) => (stopping ??= stop(milliseconds)) }
}
