import type { Db } from "../db/database.ts"
import { addFile, dropFiles, removeFile } from "../files/files.ts"
import { keepCounts, planChecks } from "../health/counted.ts"
import { noteFindings } from "../health/health.ts"
import { deleteOlder } from "../runs/deletions.ts"
import { finishRun } from "../runs/finish.ts"
import { keepTargets } from "../runs/planned.ts"
import { deferRun, requeueRun, resumeRun, retryRun } from "../runs/requeue.ts"
import { dropCookies, reuseCookies } from "../runs/reused-cookies.ts"
import { appendLog } from "../runs/run-log.ts"
import {
  abortRun,
  advanceQueued,
  claimRun,
  createRun,
  type NewRun,
  renameRun,
} from "../runs/runs.ts"
import { discardStaged, stageItems } from "../runs/staged-items.ts"
import { beginTargets, commitTargets } from "../runs/targets.ts"
import { probe } from "../settings/secrets.ts"
import { forgetOfHost, rememberOfHost } from "../shared/host-memory.ts"
import {
  clearStrikes,
  leaseSlots,
  leaveHost,
  spendQuota,
  strikeHost,
  suspendHost,
} from "../shared/host-rate-limits.ts"
import {
  adoptRuns,
  beat,
  joinProcesses,
  leaveProcesses,
  removeDeadProcess,
} from "../shared/processes.ts"
import { claimRuns } from "../shared/take.ts"
import { purge } from "../upkeep/purge.ts"
import { accountCommands } from "./account-commands.ts"
import { automationCommands } from "./automation-commands.ts"
import { startRun } from "./start-run.ts"

/**
 * All changes to the store, by name. A command is an async function of the database
 * and one argument that can be posted between threads; it runs inside a transaction.
 */
export const writeCommands = {
  "runs.create": (db: Db, run: NewRun) => createRun(db, run),
  "runs.start": startRun,
  "runs.rename": renameRun,
  "runs.claim": claimRun,
  "runs.abort": abortRun,
  "runs.finish": finishRun,
  "runs.requeue": requeueRun,
  "runs.defer": deferRun,
  "runs.advance": advanceQueued,
  "runs.resume": resumeRun,
  "runs.retry": retryRun,
  "runs.deleteOlder": deleteOlder,
  "runs.take": claimRuns,
  "runs.adopt": adoptRuns,
  "processes.join": joinProcesses,
  "processes.beat": beat,
  "processes.removeDead": removeDeadProcess,
  "processes.leave": leaveProcesses,
  "rateLimits.lease": leaseSlots,
  "rateLimits.suspend": suspendHost,
  "rateLimits.leave": leaveHost,
  "rateLimits.strike": strikeHost,
  "rateLimits.clearStrikes": clearStrikes,
  "rateLimits.spend": spendQuota,
  "hosts.remember": rememberOfHost,
  "hosts.forget": forgetOfHost,
  "targets.keep": keepTargets,
  "targets.begin": beginTargets,
  "targets.commit": commitTargets,
  "items.stage": stageItems,
  "items.discard": discardStaged,
  "files.add": addFile,
  "files.remove": removeFile,
  "files.drop": dropFiles,
  "log.append": appendLog,
  "cookies.keep": reuseCookies,
  "cookies.drop": dropCookies,
  "health.note": noteFindings,
  "health.keep": keepCounts,
  "health.plan": planChecks,
  "store.probe": probe,
  "store.purge": purge,
  ...accountCommands,
  ...automationCommands,
} satisfies Record<string, (db: Db, args: never) => Promise<unknown>>

/** A change that has not been acknowledged to a client; it need not be on disk at once. */
export interface Soft {
  /**
   * Whether the caller does not wait for the disk. The change survives the end of the process, but
   * a power cut may lose the last moments. A later durable change makes it durable, too.
   */
  soft?: boolean
}

export type WriteCommand = keyof typeof writeCommands
type OwnArguments<V extends WriteCommand> = Parameters<(typeof writeCommands)[V]>[1]
export type CommandArguments<V extends WriteCommand> =
  OwnArguments<V> extends object ? OwnArguments<V> & Soft : OwnArguments<V>
export type CommandResult<V extends WriteCommand> = Awaited<ReturnType<(typeof writeCommands)[V]>>
