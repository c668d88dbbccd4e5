import { messageOf } from "../../base/error-message.ts"
import {
  Aborted,
  type AnyScraper,
  type FetchMethod,
  fetchMethodsOf,
} from "../../catalogue/kit/index.ts"
import type { Environment } from "../../engine/fetch/environment.ts"
import { type ReplayCase, readCase, readCases } from "../../engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../engine/fetch/replay/environment.ts"
import { expectationsOf } from "../../engine/fetch/replay/expectations.ts"
import { recordEnvironment } from "../../engine/fetch/replay/recording.ts"
import { DatabaseCheckpoints } from "../../engine/runtime/run/database-checkpoints.ts"
import { concurrencyOf, executeRun } from "../../engine/runtime/run/execute.ts"
import { watchHeap } from "../../engine/runtime/workers/heap-watch.ts"
import { itemBodies } from "../../store/runs/items.ts"
import { isOver } from "../../store/runs/runs.ts"
import { BadUse } from "../common/bad-use.ts"
import { noRecordedCase } from "../common/file-errors.ts"
import { readSettings } from "../common/settings.ts"
import type { RunDisplay } from "./display.ts"
import { FilesFolder, filesFolder } from "./files.ts"
import type { Inputs } from "./input.ts"
import { ItemStream } from "./items.ts"
import { openLiveWorld } from "./live-world.ts"
import { Memory, stateFolder } from "./memory.ts"
import type { PagePdf } from "./output.ts"
import { PrintedCheckpoints } from "./printed-checkpoints.ts"
import { openState } from "./state.ts"

export interface LocalOptions {
  record?: string
  replay?: ReplayCase
  /** Folder from which the run can be resumed. */
  resume?: string
  /** Folder for the memory of scrapers. */
  state?: string
  /** Folder for files of pages. */
  files?: string
  output?: string
  maxItems?: number
  concurrency?: number
  method?: FetchMethod
}

/** The result of a run. */
export interface ScrapeError {
  status: string
  message?: string
  errors: number
}

/** The environment of a run, and its completion. */
interface World {
  environment: Environment
  /** Stores the run's items for a recording. */
  save(items: () => Promise<Record<string, unknown>[]>): Promise<void>
  close(): Promise<void>
}

/** Executes a run in this process; passes its items to `print` as they arrive. @throws BadUse */
export async function runHere(
  scraper: AnyScraper,
  inputs: Inputs,
  options: LocalOptions,
  display: RunDisplay,
  print: PagePdf,
): Promise<ScrapeError> {
  const chosen = chosenMethod(scraper, options)
  // Validates the input before anything is opened.
  for (const input of inputs) targetsOf(scraper, input)
  const state = await openState(scraper, inputs, options)
  const { store, run } = state
  const control = new AbortController()
  const stop = () => control.abort(new Aborted())
  let stopWatching = () => {}
  let world: World | undefined
  // The status until the run ends normally.
  let status = run.status
  const stream = new ItemStream(store, run.n, state.done)
  const printing = print(stream.items(), () => status !== "succeeded")
  try {
    if (isOver(run.status)) {
      stream.end()
      await printing
      return { status: run.status, errors: run.error_count }
    }
    const stored = new DatabaseCheckpoints({
      store,
      run,
      tier: scraper.tier,
      concurrency: concurrencyOf(scraper),
    })
    const files = new FilesFolder(options.files ?? filesFolder(scraper.slug, options.output))
    const folder = options.state ?? (options.replay ? undefined : stateFolder(process.env))
    const memory = new Memory(folder, scraper.slug, options.replay?.memory)
    const checkpoint = new PrintedCheckpoints(
      stored,
      { memory, files },
      (line) => display.log(line),
      (seqs) => stream.add(seqs),
    )
    display.watch(() => checkpoint.progress())
    for (const signal of signals) process.once(signal, stop)
    // If the reader is gone or the disk is full, fetch nothing more.
    printing.catch(stop)
    stopWatching = watchHeap()
    world = worldOf(scraper.slug, inputs[0], options)
    const end = await executeRun({
      scraper: chosen,
      input: inputs[0],
      checkpoint,
      environment: world.environment,
      signal: control.signal,
      ...(options.maxItems === undefined ? {} : { maxItems: options.maxItems }),
    })
    await stored.settle()
    const { error, capped } = end
    const { id, attempt } = run
    if (end.status !== "halted") {
      status = end.status
      const at = new Date().toISOString()
      await store.write("runs.finish", { id, attempt, status, error, capped, at })
    }
    stream.end()
    await printing
    await world.save(() => Array.fromAsync(itemBodies(store.db, run.n), (body) => JSON.parse(body)))
    return {
      status: end.status,
      errors: checkpoint.progress().errorCount,
      ...(error ? { message: error.message } : {}),
    }
  } finally {
    stopWatching()
    for (const signal of signals) process.off(signal, stop)
    stream.end()
    await printing.catch(() => {})
    // Otherwise, its threads would keep the process alive.
    await world?.close()
    await state.close()
  }
}

const signals = ["SIGINT", "SIGTERM"] as const

/** @throws BadUse */
export function openCase(path: string): ReplayCase {
  try {
    return readCase(path)
  } catch (error) {
    throw noRecordedCase(path, error)
  }
}

/**
 * Returns the cases of TRAWL_REPLAY; undefined if the run is recorded or takes place elsewhere.
 * Throws BadUse if a folder has no case.
 */
export function configuredReplay(options: {
  record?: string
  remote?: unknown
}): ReplayCase | undefined {
  if (options.record !== undefined || options.remote !== undefined) return undefined
  const { replay } = readSettings()
  if (replay.length === 0) return undefined
  try {
    return readCases(replay)
  } catch (error) {
    throw new BadUse(`TRAWL_REPLAY: ${messageOf(error)}`)
  }
}

function targetsOf(scraper: AnyScraper, input: Record<string, unknown>) {
  try {
    return scraper.targets(input)
  } catch (error) {
    throw new BadUse(messageOf(error))
  }
}

/** Returns the scraper with the fetch method of this run. @throws BadUse if it lacks this method */
function chosenMethod(
  scraper: AnyScraper,
  { method: fetchMethod, concurrency }: LocalOptions,
): AnyScraper {
  const methods = fetchMethodsOf(scraper)
  if (fetchMethod !== undefined && !methods.includes(fetchMethod)) {
    throw new BadUse(
      `${scraper.slug} has no fetch method "${fetchMethod}"; it has ${methods.join(", ")}.`,
    )
  }
  return {
    ...scraper,
    ...(fetchMethod === undefined ? {} : { fetchMethods: [fetchMethod] }),
    ...(concurrency === undefined ? {} : { concurrency }),
  }
}

function worldOf(
  slug: string,
  input: Record<string, unknown>,
  { record, replay }: LocalOptions,
): World {
  const save = async () => {}
  if (replay) return { environment: replayEnvironment(replay), save, close: async () => {} }
  const { environment, close } = openLiveWorld()
  if (!record) return { environment, save, close }
  const recording = recordEnvironment(environment, record, { slug, input })
  return {
    environment: recording.environment,
    save: async (items) => void (await recording.save(expectationsOf(await items()))),
    close,
  }
}
