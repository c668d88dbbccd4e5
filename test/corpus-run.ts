import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import {
  type AnyScraper,
  checkInput,
  type FetchMethod,
  ScrapeError,
  type Target,
} from "../src/catalogue/kit/index.ts"
import { type ReplayCase, readCase } from "../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../src/engine/fetch/replay/environment.ts"
import type { Counters } from "../src/engine/ops/health/counters.ts"
import { isErrorItem } from "../src/engine/runtime/run/checkpoints.ts"
import { executeRun } from "../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../src/engine/runtime/run/memory-checkpoints.ts"
import { failure } from "./judge.ts"

const catalogueFolder = join(import.meta.dir, "../src/catalogue")
const files = new Map(
  [...new Bun.Glob("**/*.ts").scanSync(catalogueFolder)].map((path) => [
    path.replace(/^.*\/|\.ts$/g, ""),
    path,
  ]),
)

/**
 * Definitions list the challenges of single sites, for every scraper that opens the page. All
 * definitions that can be loaded are loaded: a broken one must not affect the others.
 */
await import("../src/catalogue/index.ts").catch(() => {})

/**
 * Returns a scraper by its file, so that an unfinished one does not need the whole catalogue to
 * load.
 */
export async function loadScraper(slug: string): Promise<AnyScraper | undefined> {
  const path = files.get(slug)
  return path && (await import(join(catalogueFolder, path))).default
}

export interface ReplayResult {
  items: Record<string, unknown>[]
  error: { code: string; message: string } | null
  log: string[]
}

/**
 * Runs one recorded case through the engine, as `trawl run --replay` does. With a tally it runs as
 * in the service, which does not check items against their schema.
 */
export async function replay(
  recorded: ReplayCase,
  { counts, onlyMethod }: { counts?: Counters; onlyMethod?: FetchMethod } = {},
): Promise<ReplayResult> {
  const scraper = await loadScraper(recorded.slug)
  if (!scraper) throw new Error(`No scraper is named ${recorded.slug}`)
  const checked = checkInput(scraper.input, recorded.input)
  if (!checked.ok) {
    const message = checked.issues.map((issue) => issue.message).join(" ")
    return { items: [], error: { code: "invalid_input", message }, log: [] }
  }
  const log: string[] = []
  const targets = targetsOf(scraper, checked.input)
  if (targets instanceof ScrapeError) {
    return { items: [], error: { code: targets.code, message: targets.message }, log: [] }
  }
  const addLine = (line: { level: string; message: string }) =>
    log.push(`${line.level}: ${line.message}`)
  const checkpoint = new MemoryCheckpoints(targets, addLine, recorded.memory)
  const end = await executeRun({
    scraper,
    input: checked.input,
    checkpoint,
    environment: {
      ...replayEnvironment(recorded),
      ...(counts && { counts }),
      ...(onlyMethod && { onlyMethod }),
    },
    signal: AbortSignal.timeout(300_000),
    checkItems: counts === undefined,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  return { items: JSON.parse(JSON.stringify(items)), error: end.error, log }
}

/** An input whose parts contradict its scraper's rules is rejected before anything is fetched. */
function targetsOf(scraper: AnyScraper, input: Record<string, unknown>): Target[] | ScrapeError {
  try {
    return scraper.targets(input)
  } catch (error) {
    if (error instanceof ScrapeError) return error
    throw error
  }
}

/**
 * Returns the first expectation of a case that does not hold, with the error that the case does not
 * expect.
 */
export async function firstFailure(
  recorded: ReplayCase,
  ended: Promise<ReplayResult> = replay(recorded),
): Promise<string | undefined> {
  const { items, error } = await ended
  for (const expectation of recorded.expect) {
    const found = failure({ items, error }, expectation)
    if (!found) continue
    const errors = [
      error,
      ...items.filter(isErrorItem).map((item) => item.error as ReplayResult["error"]),
    ]
    const isExpected = (code: string) => recorded.expect.some(({ equals }) => equals === code)
    const wrong = errors.find((one) => one && !isExpected(one.code))
    return wrong ? `${found}; ${wrong.code}: ${wrong.message}` : found
  }
}

/** Returns every case of a folder `<root>/<slug>/<case>/case.json`, of one slug or of all. */
export function casesUnder(root: string, slug?: string): ReplayCase[] {
  if (!existsSync(root)) return []
  const slugs = slug
    ? [slug]
    : readdirSync(root, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
  return slugs.sort().flatMap((name) => {
    const folder = join(root, name)
    if (!existsSync(folder)) return []
    return readdirSync(folder)
      .sort()
      .filter((entry) => existsSync(join(folder, entry, "case.json")))
      .map((entry) => readCase(join(folder, entry)))
  })
}

export const ownCases = join(import.meta.dir, "cases")
export const corpus = join(import.meta.dir, "../../shared/corpus")
