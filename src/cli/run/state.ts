import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { targetRows } from "../../engine/runtime/run/checkpoints.ts"
import { newId } from "../../store/db/ids.ts"
import { lockFolder } from "../../store/folder-lock.ts"
import { isOver, latestRun } from "../../store/runs/runs.ts"
import { finishedTargets } from "../../store/runs/targets.ts"
import { type OwnStore, openStore } from "../../store/store.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { BadUse } from "../common/bad-use.ts"
import type { Inputs } from "./input.ts"

/** A run's store: in a folder from which it can go on, or in one that goes with the process. */
export interface RunState {
  store: OwnStore
  run: RunRow
  /** Targets that were done before, by their places in the run. */
  done: number[]
  close(): Promise<void>
}

const yearSeconds = 366 * 86_400

/** @throws BadUse where the folder holds another run */
export async function openState(
  scraper: AnyScraper,
  inputs: Inputs,
  { resume, maxItems }: { resume?: string; maxItems?: number },
): Promise<RunState> {
  const folder = resume ?? mkdtempSync(join(tmpdir(), "trawl-run-"))
  const store = openStore(folder)
  const unlock = lockFolder(folder)
  const close = async () => {
    await store.close()
    unlock()
    if (resume === undefined) rmSync(folder, { recursive: true, force: true })
  }
  try {
    const before = await latestRun(store.db)
    const run = before
      ? await resumeRun(store, requireSame(before, scraper, inputs, folder))
      : await begin(store, scraper, inputs, maxItems)
    return { store, run, done: await finishedTargets(store.db, run.n), close }
  } catch (error) {
    await close()
    throw error
  }
}

const now = () => new Date().toISOString()

async function begin(
  store: OwnStore,
  scraper: AnyScraper,
  inputs: Inputs,
  maxItems: number | undefined,
): Promise<RunRow> {
  const targets = targetRows(inputs.flatMap((input) => scraper.targets(input)))
  const { id } = await store.write("runs.create", {
    id: newId("run"),
    datasetId: newId("ds"),
    slug: scraper.slug,
    input: inputs[0],
    accountId: null,
    origin: "cli",
    maxItems: maxItems ?? null,
    maxPages: null,
    timeoutSeconds: yearSeconds,
    createdAt: now(),
    targets,
  })
  return claimed(store, id)
}

function requireSame(run: RunRow, { slug }: AnyScraper, inputs: Inputs, folder: string): RunRow {
  if (run.slug === slug && run.input === JSON.stringify(inputs[0])) return run
  throw new BadUse(
    `${folder} contains a run of ${run.slug} with another input. Choose another folder for this run.`,
  )
}

/** Resumes a run: failed targets are tried again, finished ones are not. */
async function resumeRun(store: OwnStore, run: RunRow): Promise<RunRow> {
  const { id, attempt, status } = run
  if (status === "succeeded") return run
  if (status === "running" || status === "aborting") {
    await store.write("runs.requeue", { id, attempt, cause: "process", at: now() })
  }
  const left = await latestRun(store.db)
  if (left && isOver(left.status)) await store.write("runs.resume", { id })
  return claimed(store, id)
}

async function claimed(store: OwnStore, id: string): Promise<RunRow> {
  const run = await store.write("runs.claim", { id, at: now() })
  if (!run) throw new Error("The run cannot be resumed.")
  return run
}
