import type { Db } from "./database.ts"
import { createRun, finishRun, moveRun } from "./runs.ts"

/**
 * Every change that can be made to the store, by name. A verb is an async function of the database
 * and one argument that can be posted between threads; it runs inside a transaction.
 */
export const writeVerbs = {
  "runs.create": createRun,
  "runs.move": moveRun,
  "runs.finish": finishRun,
} satisfies Record<string, (db: Db, args: never) => Promise<unknown>>

export type WriteVerb = keyof typeof writeVerbs
export type VerbArguments<V extends WriteVerb> = Parameters<(typeof writeVerbs)[V]>[1]
export type VerbResult<V extends WriteVerb> = Awaited<ReturnType<(typeof writeVerbs)[V]>>
