import type { Db } from "../database.ts"
import { dropCookies, keepCookies } from "../runs/kept-cookies.ts"
import { requeueRun, resumeRun } from "../runs/requeue.ts"
import { appendLog } from "../runs/run-log.ts"
import { abortRun, claimRun, createRun, finishRun } from "../runs/runs.ts"
import { discardSpilled, spillItems } from "../runs/spill.ts"
import { commitTargets } from "../runs/targets.ts"
import { probe } from "../secrets.ts"
import { purge } from "../upkeep/purge.ts"
import { accountVerbs } from "./account-verbs.ts"
import { automationVerbs } from "./automation-verbs.ts"

/**
 * Every change that can be made to the store, by name. A verb is an async function of the database
 * and one argument that can be posted between threads; it runs inside a transaction.
 */
export const writeVerbs = {
  "runs.create": createRun,
  "runs.claim": claimRun,
  "runs.abort": abortRun,
  "runs.finish": finishRun,
  "runs.requeue": requeueRun,
  "runs.resume": resumeRun,
  "targets.commit": commitTargets,
  "items.spill": spillItems,
  "items.discard": discardSpilled,
  "log.append": appendLog,
  "cookies.keep": keepCookies,
  "cookies.drop": dropCookies,
  "store.probe": probe,
  "store.purge": purge,
  ...accountVerbs,
  ...automationVerbs,
} satisfies Record<string, (db: Db, args: never) => Promise<unknown>>

export type WriteVerb = keyof typeof writeVerbs
export type VerbArguments<V extends WriteVerb> = Parameters<(typeof writeVerbs)[V]>[1]
export type VerbResult<V extends WriteVerb> = Awaited<ReturnType<(typeof writeVerbs)[V]>>
