import { createInterface } from "node:readline/promises"
import type { Command } from "commander"
import { Unanswered } from "../../engine/net/network/other-service.ts"
import { BadUse } from "../common/bad-use.ts"
import { acting, type Operator, printRows, Refused } from "../common/operate.ts"
import { remoteService } from "../run/remote-service.ts"

/** `trawl destinations …`: manages destinations of the service of this machine, or of an account on a server. */
export function registerDestinations(program: Command): void {
  const destinations = program
    .command("destinations")
    .description(
      "Manage destinations of items, for example: trawl destinations add files folder --path items",
    )
  const add = (command: string) =>
    destinations
      .command(command)
      .option("--remote <url>", "URL of a Trawl server, for the account of the key")
      .option("--key <key>", "API key of that server (default: TRAWL_API_KEY)")
  add("list")
    .description("List the destinations with the state of their deliveries")
    .option("--json", "print JSON Lines", false)
    .action(({ json, ...remote }: Remote & { json: boolean }) =>
      actingThere(remote, (by) => list(by, json), { onlyLooks: true }),
    )
  add("add")
    .description("Create a destination and print its ID")
    .argument("<name>", "name by which runs choose it")
    .argument("<kind>", "postgres, s3, webhook, folder")
    .option("--url <url>", "URL of the database, storage or receiver; - reads it from the input")
    .option("--table <table>", "table of the database")
    .option("--schema <schema>", "schema of the table (default: public)")
    .option("--unique-by <fields>", "fields that identify an item, comma-separated")
    .option("--bucket <bucket>", "bucket of the storage")
    .option("--region <region>", "region of the bucket (default: us-east-1)")
    .option("--access-key-id <id>", "access key ID of the storage")
    .option("--secret-access-key <key>", "secret access key; - reads it from the input")
    .option("--path <path>", "path in the bucket or in TRAWL_DESTINATION_FOLDER")
    .option("--format <format>", "jsonl, csv or parquet (default: jsonl)")
    .option("--batch-size <items>", "maximum items of a request (default: 100)", Number)
    .option("--deliver <when>", "as_they_come or at_end")
    .option("--scraper <slug>", "deliver all runs of this scraper or recipe")
    .option("--schedule <schedule>", "deliver all runs of this schedule, by its ID")
    .option(
      "--account <account>",
      "ID or email address of the account (default: the first administrator); not with --remote",
    )
    .action((name: string, kind: string, { remote, key, ...options }: NewDestination & Remote) =>
      actingThere({ remote, key }, (by) => create(by, { name, kind }, options)),
    )
  add("test")
    .description("Write a probe to a destination and remove it again")
    .argument("<destination>", "ID or name of the destination")
    .action((id: string, remote: Remote) => actingThere(remote, (by) => test(by, id)))
  add("deliveries")
    .description("List the deliveries of runs to a destination")
    .argument("<destination>", "ID or name of the destination")
    .option("--state <state>", "waiting, delivered or failed")
    .option("--json", "print JSON Lines", false)
    .action((id: string, { remote, key, ...options }: ListOptions & Remote) =>
      actingThere({ remote, key }, (by) => deliveries(by, id, options), { onlyLooks: true }),
    )
  add("retry")
    .description("Attempt all failed deliveries of a destination again")
    .argument("<destination>", "ID or name of the destination")
    .action((id: string, remote: Remote) =>
      actingThere(remote, async (by) => {
        const { queued } = await by.call("POST", `${pathOf(id)}/retry`)
        console.log(`${queued} queued`)
      }),
    )
  add("remove")
    .description("Delete a destination; what it has received stays there")
    .argument("<destination>", "ID or name of the destination")
    .action((id: string, remote: Remote) =>
      actingThere(remote, async (by) => {
        await by.call("DELETE", pathOf(id))
        console.log(`${id} removed`)
      }),
    )
}

interface Remote {
  remote?: string | undefined
  key?: string | undefined
}

/** Runs a command on a server with `remote`, otherwise on this machine as its operator. */
async function actingThere(
  { remote, key }: Remote,
  work: (by: Operator) => Promise<void>,
  how?: { onlyLooks: boolean },
): Promise<void> {
  if (remote === undefined) return acting(work, how)
  try {
    const server = remoteService(remote, key)
    await work({
      async call(method, path, body) {
        const text = await server.text(method, `/api/v1${path}`, body)
        return text === "" ? undefined : JSON.parse(text)
      },
    })
  } catch (error) {
    const isExpected = [BadUse, Unanswered, Refused].some((kind) => error instanceof kind)
    if (!isExpected) throw error
    console.error((error as Error).message)
    process.exitCode = 2
  }
}

interface NewDestination {
  url?: string
  uniqueBy?: string
  secretAccessKey?: string
  [option: string]: unknown
}

interface ListOptions {
  state?: string
  json: boolean
}

const pathOf = (id: string) => `/destinations/${encodeURIComponent(id)}`

async function create(
  by: Operator,
  named: { name: string; kind: string },
  options: NewDestination,
): Promise<void> {
  const { uniqueBy, ...rest } = options
  const body = {
    ...named,
    ...rest,
    ...(uniqueBy !== undefined && {
      uniqueBy: uniqueBy
        .split(",")
        .map((field) => field.trim())
        .filter(Boolean),
    }),
  }
  // Other users of the machine can read the arguments of a command.
  const hidden = (["url", "secretAccessKey"] as const).filter((name) => body[name] === "-")
  const lines = hidden.length > 0 ? await firstLines(hidden.length) : []
  for (const [index, name] of hidden.entries()) body[name] = lines[index]
  const { id, signingSecret } = await by.call("POST", "/destinations", body)
  console.log(id)
  if (signingSecret !== undefined) console.log(signingSecret)
}

async function firstLines(count: number): Promise<string[]> {
  const lines: string[] = []
  const input = createInterface({ input: process.stdin })
  for await (const line of input) {
    lines.push(line.trim())
    if (lines.length === count) break
  }
  input.close()
  if (lines.length === count) return lines
  throw new Refused(`The input has ${lines.length} of ${count} lines for the options with "-".`)
}

async function test(by: Operator, id: string): Promise<void> {
  const { ok, error, milliseconds } = await by.call("POST", `${pathOf(id)}/test`)
  if (!ok) throw new Refused(`The probe of ${id} failed: ${error}`)
  console.log(`${id} works: ${milliseconds} ms`)
}

interface Destination {
  id: string
  name: string
  kind: string
  target: string
  enabled: boolean
  deliveries: { waiting: number; delivered: number; failed: number }
  itemCount: number
  lastError: string | null
}

function list(by: Operator, json: boolean): Promise<void> {
  return printRows<Destination>(by, "/destinations", (destination) => {
    if (json) return JSON.stringify(destination)
    const {
      id,
      name,
      kind,
      target,
      enabled,
      deliveries: counts,
      itemCount,
      lastError,
    } = destination
    return [
      id,
      name,
      kind,
      target,
      enabled ? "on" : "off",
      `${counts.delivered} delivered, ${counts.waiting} waiting, ${counts.failed} failed, ${itemCount} items`,
      ...(lastError ? [lastError] : []),
    ].join("\t")
  })
}

interface RunDelivery {
  id: string
  runId: string
  state: string
  itemCount: number
  createdAt: string
  error: string | null
}

function deliveries(by: Operator, id: string, { state, json }: ListOptions): Promise<void> {
  const filter: Record<string, string> = state === undefined ? {} : { state }
  return printRows<RunDelivery>(
    by,
    `${pathOf(id)}/deliveries`,
    (delivery) => {
      if (json) return JSON.stringify(delivery)
      const { id, runId, state, itemCount, createdAt, error } = delivery
      const cells = [id, runId, state, `${itemCount} items`, createdAt]
      return [...cells, ...(error ? [error] : [])].join("\t")
    },
    filter,
  )
}
