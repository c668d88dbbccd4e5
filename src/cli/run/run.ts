import { type Command, InvalidArgumentError, Option } from "commander"
import { exportFormatNames } from "../../base/export-formats.ts"
import { type FetchMethod, fetchMethods, ownFieldsOf } from "../../catalogue/kit/index.ts"
import { BadUse } from "../common/bad-use.ts"
import { scraperNamed } from "../common/scraper-named.ts"
import { RunDisplay } from "./display.ts"
import { readInputs } from "./input.ts"
import { configuredReplay, openCase, runHere } from "./local.ts"
import { type OutputFormat, outputOf } from "./output.ts"
import { runThere } from "./remote.ts"
import { scraperThere } from "./remote-scraper.ts"
import { transforming } from "./transform.ts"

interface RunOptions {
  input?: string
  from?: string[]
  column?: string
  output?: string
  format?: OutputFormat
  transform?: string
  maxItems?: number
  concurrency?: number
  method?: FetchMethod
  resume?: string
  state?: string
  files?: string
  record?: string
  replay?: string
  remote?: string
  key?: string
  session?: string
  failOnError?: boolean
  quiet?: boolean
}

/**
 * `trawl run`: executes one run in this process or on a server; items go to stdout, everything else
 * to stderr.
 */
export function registerRun(program: Command): void {
  program
    .command("run")
    .description(
      "Run a scraper and print its items, for example: trawl run pypi-package-scraper flask",
    )
    .argument("<scraper>", "slug of the scraper or a part of it; `trawl scrapers` lists them")
    .argument("[values...]", "targets, for example URLs")
    .option(
      "--input <json>",
      "input in addition to the targets: JSON, @file, or - for standard input",
    )
    .option(
      "--from <files...>",
      "files of targets: lines, CSV, XLSX, JSON or JSON Lines; - for standard input",
    )
    .option("--column <name>", "column that holds the targets, in CSV, XLSX or JSON Lines")
    .option(
      "-o, --output <path>",
      "output file (.csv, .xlsx, .parquet, .json, .jsonl, .md), or a folder/ of pages",
    )
    .option("--files <folder>", "folder of screenshots and PDFs (default: named after the output)")
    .addOption(
      new Option("--format <format>", "format of the items (default: json)").choices(
        exportFormatNames,
      ),
    )
    .option("--transform <jsonata>", "expression that replaces each item")
    .option("--max-items <count>", "maximum items of the run", count)
    .option("--concurrency <count>", "maximum concurrent targets", count)
    .addOption(new Option("--method <method>", "use this fetch method only").choices(fetchMethods))
    .option("--resume <folder>", "folder that stores the run, to resume it later")
    .option("--state <folder>", "folder that stores the previous values of monitors")
    .option("--record <folder>", "folder that records the responses of the site")
    .option("--replay <folder>", "folder of recorded responses to use instead of the network")
    .option("--remote <url>", "URL of the Trawl server that runs it")
    .option("--key <key>", "API key of that server (default: TRAWL_API_KEY)")
    .option("--session <name>", "session of your account there that signs in to the site")
    .option("--fail-on-error", "exit with 1 if any target failed")
    .option("-q, --quiet", "print no log and no progress")
    .action(async (scraper: string, values: string[], options: RunOptions) => {
      process.exitCode = await run(scraper, values, options)
    })
}

function count(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new InvalidArgumentError("The value must be a whole number greater than 0.")
}

/** Returns the exit code: 0 if the run succeeded, 1 if it failed, 2 if it could not start. */
async function run(name: string, values: string[], options: RunOptions): Promise<number> {
  try {
    return await runNamed(name, values, options)
  } catch (error) {
    if (!(error instanceof BadUse)) throw error
    console.error(error.message)
    return 2
  }
}

async function runNamed(name: string, values: string[], options: RunOptions): Promise<number> {
  requireOneWorld(options)
  const { remote, ...rest } = options
  const here = remote === undefined ? scraperNamed(name) : undefined
  const scraper = here ?? (await scraperThere(name, remote!, options.key))
  const one = options.replay === undefined ? undefined : openCase(options.replay)
  const replay = one ?? configuredReplay(options)
  const inputs = await readInputs(scraper, values, options, one?.input)
  const plain = outputOf(scraper, options, ownFieldsOf(scraper, inputs[0]))
  const { transform } = options
  const print = transform ? await transforming(transform, plain) : plain
  const display = new RunDisplay(options.quiet)
  const { status, message, errors } = await (here
    ? runHere(here, inputs, { ...rest, ...(replay ? { replay } : {}) } as never, display, print)
    : runThere(remote!, scraper, inputs, options, display, print)
  ).finally(() => display.end())
  if (status !== "succeeded") {
    console.error(message ?? `The run was ${status.replace("_", " ")}.`)
    return 1
  }
  return options.failOnError && errors > 0 ? 1 : 0
}

/** @throws BadUse */
function requireOneWorld({ record, replay, remote, resume, session }: RunOptions): void {
  if (session && !remote)
    throw new BadUse("--session names a session on a server, so it requires --remote.")
  if (record && replay) throw new BadUse("Use either --record or --replay, not both.")
  if (record && resume) throw new BadUse("Use either --record or --resume, not both.")
  if (remote && (record || replay || resume)) {
    throw new BadUse("--remote cannot be combined with --record, --replay or --resume.")
  }
}
