import { statfsSync } from "node:fs"
import { type Static, Type } from "@sinclair/typebox"
import { messageOf } from "../base/error-message.ts"
import { oneOf } from "../catalogue/kit/index.ts"
import { findChrome } from "../engine/net/browser/find.ts"
import { supplyOf } from "../engine/net/browser/host.ts"
import { canHaveChrome } from "../engine/net/browser/supply/supply.ts"
import { minFreeBytes } from "../store/upkeep/data-folder.ts"
import { type DiskError, diskIssue, diskIssueWords } from "../store/upkeep/disk-error.ts"
import { maybe, responseObject } from "./schemas/common.ts"
import type { CoreParts, OperationParts } from "./service-parts.ts"

export const readinessSchema = responseObject(
  {
    status: oneOf(["ready", "not_ready", "stopping"], { description: "The whole." }),
    writer: responseObject({
      state: oneOf(["ok", "failing"], { description: "Whether changes can be made." }),
      message: maybe(Type.String({ description: "Why not." })),
    }),
    database: responseObject({
      state: oneOf(["ok", "damaged"], {
        description:
          "`damaged` once a part of it could not be read: `trawl doctor` reports where. What can be read is answered all the same.",
      }),
      message: maybe(Type.String({ description: "What the read failed with." })),
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
          "Whether the threads that execute runs can be started, as the last start showed; they are started when they are needed.",
      }),
      message: maybe(Type.String({ description: "Why not." })),
    }),
    chrome: responseObject({
      state: oneOf(["found", "remote", "on_demand", "missing"], {
        description:
          "`on_demand`: none is here yet; the first page that needs one has it fetched or unpacked. `missing`: none is here, and none may be fetched, so that pages made by scripts fail with `no_browser`. The service is ready all the same.",
      }),
      away: maybe(
        Type.Integer({ description: "Of browsers elsewhere: how many of them do not answer." }),
      ),
    }),
  },
  { $id: "Readiness" },
)
export type Readiness = Static<typeof readinessSchema>

/** Milliseconds for which a result is reused: a check costs a write. */
const retentionMs = 1000
/** Milliseconds after which a write is reported as failing. */
const gracePeriodMs = 2000

/** Whether the service can do its work now. */
export class ReadinessProbe {
  private found?: { at: number; issue: DiskError | undefined; readiness: Promise<Readiness> }
  private writing?: Promise<string | null>

  constructor(private readonly service: CoreParts & OperationParts) {}

  async look(): Promise<Readiness> {
    const at = performance.now()
    const { issue } = this.service.store
    if (!this.found || at - this.found.at > retentionMs || issue !== this.found.issue) {
      this.found = { at, issue, readiness: this.examine() }
    }
    const readiness = await this.found.readiness
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

  /** One change at a time: those that wait must not pile up. */
  private writerTrouble(): Promise<string | null> {
    this.writing ??= this.write().finally(() => {
      this.writing = undefined
    })
    const late = `A change takes longer than ${gracePeriodMs / 1000} s.`
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

const cannotWrite = (reason: string) => `Changes cannot be written: ${reason}.`
