import { type Command, Option } from "commander"
import { messageOf } from "../base/error-message.ts"
import { scraperBySlug } from "../catalogue/index.ts"
import { Aborted, type AnyScraper, checkInput } from "../catalogue/kit/index.ts"
import type { Environment } from "../engine/environment/environment.ts"
import { type ReplayCase, readCase } from "../engine/replay/case.ts"
import { replayEnvironment } from "../engine/replay/environment.ts"
import { recordEnvironment } from "../engine/replay/recording.ts"
import { executeRun, type RunEnd } from "../engine/run/execute.ts"
import { MemoryJournal } from "../engine/run/memory-journal.ts"
import { BadUse, readInput, unknownScraper } from "./input.ts"
import { openLiveWorld } from "./live-world.ts"
import { RunDisplay } from "./run-display.ts"
import { formats, type OutputFormat, printItems } from "./run-output.ts"

interface RunOptions {
  input?: string
  record?: string
  replay?: string
  format: OutputFormat
}

/** Where a run takes place, and what to do after it. */
interface World {
  environment: Environment
  close(items: readonly Record<string, unknown>[]): Promise<void>
}

/** `trawl run`: one run in this process; items on stdout, all else on stderr. */
export function registerRun(program: Command): void {
  program
    .command("run")
    .description("run a scraper here and print its items")
    .argument("<slug>", "which one; `trawl scrapers` lists them")
    .option("--input <json>", "its input: JSON, @file, or - for standard input")
    .option("--record <dir>", "write the upstream's answers down in this folder")
    .option("--replay <dir>", "answer every request from such a folder, never from the network")
    .addOption(
      new Option("--format <format>", "of the items").choices(formats).default("json" as const),
    )
    .action(async (slug: string, options: RunOptions) => {
      process.exitCode = await run(slug, options)
    })
}

/** The exit code: 0 when the run ended well, 1 when it failed, 2 when it could not begin. */
async function run(slug: string, options: RunOptions): Promise<number> {
  try {
    const scraper = scraperBySlug(slug)
    if (!scraper) throw unknownScraper(slug)
    if (options.record && options.replay) throw new BadUse("Either --record or --replay, not both.")
    const recorded = options.replay ? openCase(options.replay) : undefined
    const input = checkedInput(scraper, await readInput(options.input, recorded?.input))
    return await runWith(scraper, input, options, recorded)
  } catch (error) {
    if (!(error instanceof BadUse)) throw error
    console.error(error.message)
    return 2
  }
}

function openCase(path: string): ReplayCase {
  try {
    return readCase(path)
  } catch (error) {
    throw new BadUse(`${path} holds no recorded case: ${messageOf(error)}`)
  }
}

function checkedInput(scraper: AnyScraper, raw: unknown): Record<string, unknown> {
  const checked = checkInput(scraper.input, raw)
  if (checked.ok) return checked.input
  const faults = checked.faults.map((fault) => `  ${fault.message}`)
  throw new BadUse(
    `The input does not fit ${scraper.slug}:\n${faults.join("\n")}\nSee \`trawl scrapers ${scraper.slug}\`.`,
  )
}

async function runWith(
  scraper: AnyScraper,
  input: Record<string, unknown>,
  options: RunOptions,
  recorded: ReplayCase | undefined,
): Promise<number> {
  const world = recorded
    ? { environment: replayEnvironment(recorded), close: async () => {} }
    : await liveWorld(scraper.slug, input, options.record)
  const display = new RunDisplay()
  const journal = new MemoryJournal(targetsOf(scraper, input), (line) => display.log(line))
  display.watch(() => journal.progress())
  const control = new AbortController()
  const stop = () => control.abort(new Aborted())
  process.once("SIGINT", stop)
  const { signal } = control
  const { environment } = world
  const end = await executeRun({ scraper, input, journal, environment, signal }).finally(() => {
    display.end()
    process.off("SIGINT", stop)
  })
  await world.close(options.record ? await Array.fromAsync(journal.items()) : [])
  await printItems(journal.items(), options.format, scraper.item)
  return exitCode(end)
}

function targetsOf(scraper: AnyScraper, input: Record<string, unknown>) {
  try {
    return scraper.targets(input)
  } catch (error) {
    throw new BadUse(messageOf(error))
  }
}

async function liveWorld(
  slug: string,
  input: Record<string, unknown>,
  folder: string | undefined,
): Promise<World> {
  const { environment, close } = openLiveWorld()
  if (!folder) return { environment, close }
  const recording = recordEnvironment(environment, folder, { slug, input })
  return {
    environment: recording.environment,
    async close(items) {
      await recording.save(items)
      await close()
    },
  }
}

function exitCode({ status, error }: RunEnd): number {
  if (status === "succeeded") return 0
  console.error(error?.message ?? `The run was ${status}.`)
  return 1
}
