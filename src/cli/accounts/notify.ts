import type { Command } from "commander"
import { acting, type Operator, printRows, Refused } from "../common/operate.ts"

/** `trawl notify …`: manages notification channels of the running service. */
export function registerNotify(program: Command): void {
  const notify = program
    .command("notify")
    .description(
      "Manage notification channels, for example: trawl notify add ntfy --url https://ntfy.sh/my-topic",
    )
  notify
    .command("list")
    .description("List the channels with their last delivery")
    .option("--json", "print JSON Lines", false)
    .action(({ json }: { json: boolean }) => acting((by) => list(by, json), { onlyLooks: true }))
  notify
    .command("add")
    .description("Create a channel and print its ID")
    .argument("<kind>", "email, ntfy, slack, discord, matrix, teams, google-chat, post, webhook")
    .option("--url <url>", "URL of the receiver")
    .option("--token <token>", "token, if the receiver needs one")
    .option("--room <room>", "ID of the Matrix room")
    .option("--to <addresses>", "email addresses, comma-separated")
    .option(
      "--events <events>",
      "events, comma-separated (default: failures and other events that need attention)",
    )
    .option("--name <name>", "name of the channel")
    .option(
      "--per-minute <messages>",
      "maximum messages per minute; more are sent as one digest",
      Number,
    )
    .option("--credits-below <credits>", "threshold of the event credits.low", Number)
    .option(
      "--account <account>",
      "ID or email address of the account (default: the first administrator)",
    )
    .action((kind: string, options: NewChannel) => acting((by) => add(by, kind, options)))
  notify
    .command("test")
    .description("Send a test notification and print the response of the receiver")
    .argument("<channel>", "ID of the channel")
    .action((id: string) => acting((by) => test(by, id)))
  notify
    .command("remove")
    .description("Delete a channel")
    .argument("<channel>", "ID of the channel")
    .action((id: string) =>
      acting(async (by) => {
        await by.call("DELETE", pathOf(id))
        console.log(`${id} removed`)
      }),
    )
}

interface NewChannel {
  url?: string
  token?: string
  room?: string
  to?: string
  events?: string
  name?: string
  perMinute?: number
  creditsBelow?: number
  account?: string
}

const pathOf = (id: string) => `/notifications/${encodeURIComponent(id)}`

const parts = (text: string) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean)

async function add(by: Operator, kind: string, options: NewChannel): Promise<void> {
  const { to, events, ...rest } = options
  const made = await by.call("POST", "/notifications", {
    kind,
    ...rest,
    ...(to !== undefined && { to: parts(to) }),
    ...(events !== undefined && { events: parts(events) }),
  })
  console.log(made.id)
  if (made.secret !== undefined) console.log(made.secret)
}

async function test(by: Operator, id: string): Promise<void> {
  const { state, tries } = await by.call("POST", `${pathOf(id)}/test`)
  const [{ status, error, milliseconds }] = tries
  if (state !== "delivered") throw new Refused(`The notification of ${id} failed: ${error}`)
  console.log(`${id} delivered: ${status}, ${milliseconds} ms`)
}

interface Channel {
  id: string
  kind: string
  target: string
  events: string[]
  enabled: boolean
  name: string | null
  lastDelivery: { state: string; at: string; error: string | null } | null
}

function list(by: Operator, json: boolean): Promise<void> {
  return printRows<Channel>(by, "/notifications", (channel) => {
    if (json) return JSON.stringify(channel)
    const { id, kind, target, events, enabled, name, lastDelivery: last } = channel
    return [
      id,
      kind,
      target,
      events.join(","),
      enabled ? "on" : "off",
      last ? `${last.state} ${last.at}${last.error ? ` ${last.error}` : ""}` : "no deliveries",
      ...(name ? [name] : []),
    ].join("\t")
  })
}
