import { statfsSync } from "node:fs"
import { type Static, Type } from "@sinclair/typebox"
import { messageOf } from "../base/error-message.ts"
import { oneOf } from "../catalogue/kit/index.ts"
import { supplyOf } from "../engine/net/browser/host.ts"
import { findChrome } from "../engine/net/browser/supply/find.ts"
import { canHaveChrome } from "../engine/net/browser/supply/supply.ts"
import { type DiskError, diskIssue, diskIssueWords } from "../store/db/disk/disk-error.ts"
import { minFreeBytes } from "../store/upkeep/data-folder.ts"
import { maybe, responseObject } from "./schemas/common.ts"
import type { CoreParts, OperationParts } from "./service-parts.ts"

export const readinessSchema = responseObject(
  {
    status: oneOf(["ready", "not_ready", "stopping"], { description: "State of the service." }),
    writer: responseObject({
      state: oneOf(["ok", "failing"], { description: "Whether writes succeed." }),
      message: maybe(Type.String({ description: "Reason if it is not." })),
    }),
    database: responseObject({
      state: oneOf(["ok", "damaged"], {
        description:
          "`damaged` after a part of the database could not be read: run `trawl doctor` for details. Readable parts are still served.",
      }),
      message: maybe(Type.String({ description: "Error of the failed read." })),
    }),
    disk: responseObject({
      state: oneOf(["ok", "full"], {
        description: `Whether the data folder has ${minFreeBytes / 1024 ** 2} MB left.`,
      }),
      freeBytes: maybe(Type.Integer()),
    }),
    workers: responseObject({
      state: oneOf(["ok", "failing"], {
        description:
          "Whether worker threads can be started, as of the last start. They are started on demand.",
      }),
      message: maybe(Type.String({ description: "Reason if it is not." })),
    }),
    chrome: responseObject({
      state: oneOf(["found", "remote", "on_demand", "missing"], {
        description:
          "`on_demand`: Chrome is downloaded or unpacked for the first page that needs it. `missing`: there is no Chrome and none may be downloaded, so pages that need it fail with `browser_unavailable`. The service is ready in both cases.",
      }),
      away: maybe(Type.Integer({ description: "Number of remote browsers that do not respond." })),
    }),
  },
  { $id: "Readiness" },
)
export type Readiness = Static<typeof readinessSchema>

/** Milliseconds for which a result is cached, because a check costs a write. */
const retentionMs = 1000
/** Milliseconds after which a write is reported as failing. */
const gracePeriodMs = 2000

/** Checks whether the service can do its work. */
export class ReadinessProbe {
  private cached?: { at: number; issue: DiskError | undefined; readiness: Promise<Readiness> }
  private writing?: Promise<string | null>

  constructor(private readonly service: CoreParts & OperationParts) {}

  async look(): Promise<Readiness> {
    const at = performance.now()
    const { issue } = this.service.store
    if (!this.cached || at - this.cached.at > retentionMs || issue !== this.cached.issue) {
      this.cached = { at, issue, readiness: this.examine() }
    }
    const readiness = await this.cached.readiness
    return this.service.stopping ? { ...readiness, status: "stopping" } : readiness
  }

  private async examine(): Promise<Readiness> {
    const message = await this.writerTrouble()
    const damage = this.service.store.damage ?? null
    const freeBytes = this.freeBytes()
    const isFull = freeBytes === null || freeBytes < minFreeBytes
    const workerIssue = this.service.runtimeStats?.runs().workerIssue ?? null
    return {
      status: message !== null || isFull || workerIssue !== null ? "not_ready" : "ready",
      writer: { state: message === null ? "ok" : "failing", message },
      database: { state: damage === null ? "ok" : "damaged", message: damage },
      disk: { state: isFull ? "full" : "ok", freeBytes },
      workers: { state: workerIssue === null ? "ok" : "failing", message: workerIssue },
      chrome: { state: this.chrome(), away: await this.away() },
    }
  }

  /** Runs one write at a time, so that waiting writes do not pile up. */
  private writerTrouble(): Promise<string | null> {
    this.writing ??= this.write().finally(() => {
      this.writing = undefined
    })
    const late = `A write takes longer than ${gracePeriodMs / 1000} s.`
    return Promise.race([this.writing, Bun.sleep(gracePeriodMs).then(() => late)])
  }

  private async write(): Promise<string | null> {
    try {
      const { store } = this.service
      await store.write("store.probe", null)
      return store.issue ? cannotWrite(diskIssueWords[store.issue]) : null
    } catch (error) {
      const issue = diskIssue(error)
      return cannotWrite(issue ? diskIssueWords[issue] : messageOf(error))
    }
  }

  private freeBytes(): number | null {
    try {
      const { bavail, bsize } = statfsSync(this.service.config.dataDir)
      return bavail * bsize
    } catch {
      return null
    }
  }

  private async away(): Promise<number | null> {
    const stats = await this.service.runtimeStats?.chrome()
    return stats?.remotes?.filter(({ isAway }) => isAway).length ?? null
  }

  private chrome(): Readiness["chrome"]["state"] {
    const { config } = this.service
    if (config.chromeWs.length > 0) return "remote"
    if (findChrome(config)) return "found"
    return canHaveChrome(supplyOf(config)) ? "on_demand" : "missing"
  }
}

const cannotWrite = (reason: string) => `Writes fail: ${reason}.`
