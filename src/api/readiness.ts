import { statfsSync } from "node:fs"
import { type Static, Type } from "@sinclair/typebox"
import { messageOf } from "../base/error-message.ts"
import { oneOf } from "../catalogue/kit/index.ts"
import { findChrome } from "../engine/browser/find.ts"
import { supplyOf } from "../engine/browser/host.ts"
import { canHaveChrome } from "../engine/browser/supply/supply.ts"
import { leastFreeBytes } from "../store/upkeep/data-folder.ts"
import { type DiskFault, diskFault, diskFaultWords } from "../store/upkeep/disk-fault.ts"
import { answerObject, maybe } from "./schemas/common.ts"
import type { Service } from "./service.ts"

export const readinessSchema = answerObject(
  {
    status: oneOf(["ready", "not_ready", "stopping"], { description: "The whole." }),
    writer: answerObject({
      state: oneOf(["ok", "failing"], { description: "Whether changes can be made." }),
      message: maybe(Type.String({ description: "Why not." })),
    }),
    database: answerObject({
      state: oneOf(["ok", "damaged"], {
        description:
          "`damaged` once a part of it could not be read: `trawl doctor` reports where. What can be read is answered all the same.",
      }),
      message: maybe(Type.String({ description: "What the read failed with." })),
    }),
    disk: answerObject({
      state: oneOf(["ok", "full"], {
        description: `Whether the data folder has ${leastFreeBytes / 1024 ** 2} MB left.`,
      }),
      freeBytes: maybe(Type.Integer()),
    }),
    workers: answerObject({
      state: oneOf(["ok", "failing"], {
        description:
          "Whether the threads that execute runs can be started, as the last start showed; they are started when they are needed.",
      }),
      message: maybe(Type.String({ description: "Why not." })),
    }),
    chrome: answerObject({
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

/** For so long, what was found is told again: a look costs a write. */
const keptMs = 1000
/** A change that takes longer is told as failing. */
const patienceMs = 2000

/** Whether the service can do its work now. */
export class ReadinessProbe {
  private found?: { at: number; fault: DiskFault | undefined; readiness: Promise<Readiness> }
  private writing?: Promise<string | null>

  constructor(private readonly service: Service) {}

  async look(): Promise<Readiness> {
    const at = performance.now()
    const { fault } = this.service.store
    if (!this.found || at - this.found.at > keptMs || fault !== this.found.fault) {
      this.found = { at, fault, readiness: this.examine() }
    }
    const readiness = await this.found.readiness
    return this.service.stopping ? { ...readiness, status: "stopping" } : readiness
  }

  private async examine(): Promise<Readiness> {
    const message = await this.writerTrouble()
    const damage = this.service.store.damage ?? null
    const freeBytes = this.freeBytes()
    const isFull = freeBytes === null || freeBytes < leastFreeBytes
    const workerFault = this.service.doings?.runs().workerFault ?? null
    return {
      status: message !== null || isFull || workerFault !== null ? "not_ready" : "ready",
      writer: { state: message === null ? "ok" : "failing", message },
      database: { state: damage === null ? "ok" : "damaged", message: damage },
      disk: { state: isFull ? "full" : "ok", freeBytes },
      workers: { state: workerFault === null ? "ok" : "failing", message: workerFault },
      chrome: { state: this.chrome(), away: await this.away() },
    }
  }

  /** One change at a time: those that wait must not pile up. */
  private writerTrouble(): Promise<string | null> {
    this.writing ??= this.write().finally(() => {
      this.writing = undefined
    })
    const late = `A change takes longer than ${patienceMs / 1000} s.`
    return Promise.race([this.writing, Bun.sleep(patienceMs).then(() => late)])
  }

  private async write(): Promise<string | null> {
    try {
      const { store } = this.service
      await store.write("store.probe", null)
      return store.fault ? cannotWrite(diskFaultWords[store.fault]) : null
    } catch (error) {
      const fault = diskFault(error)
      return cannotWrite(fault ? diskFaultWords[fault] : messageOf(error))
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
    const stats = await this.service.doings?.chrome()
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
