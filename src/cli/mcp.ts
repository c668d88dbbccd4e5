import type { Writable } from "node:stream"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import type { Command } from "commander"
import { LocalRuns } from "../api/mcp/local-runs.ts"
import { mcpServer } from "../api/mcp/server.ts"
import { FilterError, ToolSet, toolFilter } from "../api/mcp/tool-set.ts"
import { catalogue } from "../catalogue/index.ts"
import { readSettings } from "./common/settings.ts"
import { stdoutStream } from "./common/stdout.ts"
import { startEngine } from "./local-engine.ts"

const graceMs = 5000

interface Options {
  tools?: string
  category?: string
  set?: string
  outputSchema?: boolean
  maxTokens?: string
}

/** `trawl mcp`: serves the protocol over standard input and output, for desktop clients. */
export function registerMcp(program: Command): void {
  program
    .command("mcp")
    .description("Serve the Model Context Protocol over stdio, for example: trawl mcp --set meta")
    .option("--tools <slugs>", "scrapers to offer, comma-separated")
    .option("--category <category>", "category of scrapers to offer")
    .option("--set <set>", "meta: offer find_scrapers and run_scraper instead of all scrapers")
    .option("--output-schema", "include output schemas and return structured content")
    .option("--max-tokens <n>", "approximate maximum tokens of one response (default 8000)")
    .action(serveStdio)
}

async function serveStdio(options: Options): Promise<void> {
  const tools = chosenTools(options)
  const engine = startEngine("mcp", readSettings())
  const scraper = (slug: string) => tools.known(slug)
  const runs = new LocalRuns(engine.store, engine.runs, engine.files, scraper)
  const server = mcpServer(tools, runs)
  const output = stdoutStream()
  let isStopping = false
  const stop = () => {
    if (isStopping) return
    isStopping = true
    void engine
      .stop()
      .then(() => written(output))
      .finally(() => process.exit(0))
  }
  server.onclose = stop
  // The client closes the input when it ends.
  process.stdin.on("end", stop)
  output.on("error", stop)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop)
  await server.connect(new StdioServerTransport(process.stdin, output))
}

/** Resolves when all responses are written, or when the client does not read them in time. */
async function written(output: Writable): Promise<void> {
  if (output.destroyed) return
  const closed = new Promise<void>((done) => output.once("close", done).end())
  await Promise.race([closed, Bun.sleep(graceMs)])
}

/** Returns a message about a query parameter with the name of its option. */
const asOption = (message: string) =>
  message.replace(
    /^[a-z]\w+/,
    (name) => `--${name.replace(/[A-Z]/g, (upper) => `-${upper.toLowerCase()}`)}`,
  )

function chosenTools(options: Options): ToolSet {
  try {
    const query = new URLSearchParams(
      Object.entries(options).map(([name, value]) => [name, String(value)]),
    )
    return new ToolSet(catalogue, { ...toolFilter(query, catalogue), isLocal: true })
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    console.error(asOption(error.message))
    process.exit(2)
  }
}
