import { type Command, InvalidArgumentError, Option } from "commander"
import { type FetchMethod, fetchMethods, ownFieldsOf } from "../../catalogue/kit/index.ts"
import { BadUse, scraperNamed } from "../bad-use.ts"
import { RunDisplay } from "./display.ts"
import { readInputs } from "./input.ts"
import { configuredReplay, openCase, runHere } from "./local.ts"
import { formats, type OutputFormat, outputOf } from "./output.ts"
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
  failOnError?: boolean
  quiet?: boolean
}

/** `trawl run`: one run in this process, or on a server; items on stdout, all else on stderr. */
export function registerRun(program: Command): void {
  program
    .command("run")
    .description("run a scraper and print its items as they come")
    .argument("<scraper>", "which one, or a part of its name; `trawl scrapers` lists them")
    .argument("[values...]", "what it is to work on: fills its one list")
    .option("--input <json>", "its whole input, or what stands beside the list: JSON, @file, or -")
    .option(
      "--from <files...>",
      "values from lines, CSV, XLSX, JSON or JSON Lines; - is standard input",
    )
    .option("--column <name>", "of CSV, XLSX or JSON Lines, the one that holds the values")
    .option(
      "-o, --output <path>",
      "a file (.csv, .xlsx, .parquet, .json, .jsonl, .md), or a folder/ of pages",
    )
    .option("--files <folder>", "for screenshots and PDFs; by the output's name by default")
    .addOption(new Option("--format <format>", "of the items; json by default").choices(formats))
    .option("--transform <jsonata>", "what to print in place of each item")
    .option("--max-items <count>", "end after so many items", count)
    .option("--concurrency <count>", "work on so many targets at once", count)
    .addOption(
      new Option("--method <method>", "ask upstreams in this way alone").choices(fetchMethods),
    )
    .option("--resume <folder>", "keep the run there, and go on with it if there is one")
    .option("--state <folder>", "where monitors keep what they saw")
    .option("--record <folder>", "write the upstream's answers down in this folder")
    .option("--replay <folder>", "answer every request from such a folder, never from the network")
    .option("--remote <url>", "run it on the Trawl at this address")
    .option("--key <key>", "an API key of that Trawl; TRAWL_API_KEY by default")
    .option("--fail-on-error", "exit with 1 also where some targets failed")
    .option("-q, --quiet", "no log and no progress")
    .action(async (scraper: string, values: string[], options: RunOptions) => {
      process.exitCode = await run(scraper, values, options)
    })
}

function count(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0) return value
  throw new InvalidArgumentError("It must be a whole number above 0.")
}

/** The exit code: 0 when the run ended well, 1 when it failed, 2 when it could not begin. */
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
function requireOneWorld({ record, replay, remote, resume }: RunOptions): void {
  if (record && replay) throw new BadUse("Either --record or --replay, not both.")
  if (record && resume) throw new BadUse("Either --record or --resume, not both.")
  if (remote && (record || replay || resume)) {
    throw new BadUse("--remote runs elsewhere: without --record, --replay and --resume.")
  }
}
