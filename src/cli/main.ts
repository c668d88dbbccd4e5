import { Command, CommanderError } from "commander"
import { nearest } from "../base/nearest.ts"
import { version } from "../config/version.ts"
import { explainUsageErrors } from "./usage-errors.ts"

/**
 * All commands. Each is loaded on use, so that a long-running service does not keep the code of other
 * commands in memory.
 */
const commands: Record<string, () => Promise<(program: Command) => void>> = {
  serve: async () => (await import("./serve.ts")).registerServe,
  run: async () => (await import("./run/run.ts")).registerRun,
  which: async () => (await import("./which.ts")).registerWhich,
  search: async () => (await import("./search.ts")).registerSearch,
  check: async () => (await import("./check.ts")).registerCheck,
  scrapers: async () => (await import("./scrapers.ts")).registerScrapers,
  "record-all": async () => (await import("./record-all.ts")).registerRecordAll,
  upstreams: async () => (await import("./upstreams/upstreams.ts")).registerUpstreams,
  account: async () => (await import("./accounts/account.ts")).registerAccount,
  key: async () => (await import("./accounts/key.ts")).registerKey,
  destinations: async () => (await import("./accounts/destinations.ts")).registerDestinations,
  sessions: async () => (await import("./run/sessions.ts")).registerSessions,
  notify: async () => (await import("./accounts/notify.ts")).registerNotify,
  usage: async () => (await import("./usage.ts")).registerUsage,
  browser: async () => (await import("./browser.ts")).registerBrowser,
  backup: async () => (await import("./data/backup.ts")).registerBackup,
  migrate: async () => (await import("./data/migrate.ts")).registerMigrate,
  restore: async () => (await import("./data/restore.ts")).registerRestore,
  disk: async () => (await import("./data/disk.ts")).registerDisk,
  prune: async () => (await import("./data/prune.ts")).registerPrune,
  mcp: async () => (await import("./mcp.ts")).registerMcp,
  openapi: async () => (await import("./openapi.ts")).registerOpenapi,
  config: async () => (await import("./config.ts")).registerConfig,
  licenses: async () => (await import("./licenses.ts")).registerLicenses,
  completion: async () => (await import("./shell/completion.ts")).registerCompletion,
  man: async () => (await import("./shell/man.ts")).registerMan,
  doctor: async () => (await import("./doctor.ts")).registerDoctor,
}

const isPage = (word: string | undefined) => /^https?:\/\//i.test(word ?? "")

/** `trawl <url>` prints a page as Markdown. */
const pageCommand = ([program, script, ...words]: string[]) => [
  program!,
  script!,
  "run",
  "url-to-markdown-scraper",
  ...words,
  ...(words.some((word) => /^(?:-o|--output|--format)\b/.test(word)) ? [] : ["--format", "md"]),
]

/** Returns a suggestion for an unknown command. */
function suggestion(word: string): string {
  if (/^[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)/.test(word)) {
    return ` A URL starts with its scheme: trawl https://${word}`
  }
  const near = nearest(word, Object.keys(commands))
  return near ? ` Did you mean "${near}"?` : " `trawl --help` lists all commands."
}

/** Returns a suggestion for a scraper's slug instead of a command. */
async function scraperMeant(word: string): Promise<string> {
  const { scraperBySlug } = await import("../catalogue/index.ts")
  return scraperBySlug(word) ? ` To run this scraper, write: trawl run ${word}` : ""
}

/** Commands that describe all others. */
const describing = new Set(["completion", "man"])

/** Returns the commands to load: the requested one, `serve` without one, all for help and mistakes. */
function wanted([, , command]: string[]): string[] {
  if (command === undefined) return ["serve"]
  if (command === "--version" || command === "-V") return []
  return Object.hasOwn(commands, command) && !describing.has(command)
    ? [command]
    : Object.keys(commands)
}

/** Returns the command line with these commands (default: all). */
export async function programOf(
  names: readonly string[] = Object.keys(commands),
): Promise<Command> {
  const program = new Command("trawl")
    .description("A web-scraping service in one executable.")
    .version(version)
    .addHelpText(
      "after",
      "\nWithout a command, Trawl serves over HTTP. A URL prints the page as Markdown: trawl https://example.com",
    )
    .exitOverride()
  for (const command of names) (await commands[command]!())(program)
  explainUsageErrors(program)
  return program
}

/** Runs the command line. Exits with 2 for wrong usage or settings, with 1 for failed work. */
export async function main(provided: string[]): Promise<void> {
  const argv = isPage(provided[2]) ? pageCommand(provided) : provided
  const command = argv[2]
  const serves = command === undefined || command === "serve"
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error) => void fail(error, serves))
  }
  if (
    command &&
    !command.startsWith("-") &&
    command !== "help" &&
    !Object.hasOwn(commands, command)
  ) {
    console.error(
      command.includes("://")
        ? `"${command}" is not an http or https URL.`
        : `Unknown command "${command}".${(await scraperMeant(command)) || suggestion(command)}`,
    )
    process.exit(2)
  }
  const program = await programOf(wanted(argv))
  try {
    await program.parseAsync(argv)
  } catch (error) {
    // The parser has already printed the mistake.
    if (error instanceof CommanderError) process.exit(error.exitCode === 0 ? 0 : 2)
    await fail(error, serves)
  }
}

/** Exits with an error message instead of a stack trace. `serve` writes it as a log line. */
async function fail(error: unknown, serves: boolean): Promise<never> {
  const { failureOf } = await import("./failure.ts")
  const { readSettings } = await import("./common/settings.ts")
  const { message, code } = failureOf(error, settingsBy(readSettings))
  const line = { level: "fatal", time: new Date().toISOString(), msg: message }
  console.error(serves && !process.stderr.isTTY ? JSON.stringify(line) : message)
  process.exit(code)
}

function settingsBy<C>(read: () => C): C | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
