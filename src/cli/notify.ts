import type { Command } from "commander"
import { acting, type Operator, Refused, tellRows } from "./operate.ts"

/** `trawl notify …`: who is told of what happens, and how. It acts on the service that runs. */
export function registerNotify(program: Command): void {
  const notify = program.command("notify").description("channels by which you are told of events")
  notify
    .command("list")
    .description("all channels, and what each was last told")
    .option("--json", "as JSON lines", false)
    .action(({ json }: { json: boolean }) => acting((by) => list(by, json), { onlyLooks: true }))
  notify
    .command("add")
    .description("make a channel, and print its id")
    .argument("<kind>", "email, ntfy, slack, discord, matrix, teams, google-chat, post, webhook")
    .option("--url <url>", "of the receiver")
    .option("--token <token>", "of the receiver, where it wants one")
    .option("--room <room>", "of Matrix")
    .option("--to <addresses>", "of e-mail, comma between")
    .option("--events <events>", "comma between; what somebody should look at by default")
    .option("--name <name>", "to tell channels apart")
    .option("--per-minute <messages>", "what comes above that is told in one digest", Number)
    .option("--credits-below <credits>", "credits.low is told when less are left", Number)
    .option("--account <account>", "id or email; the first owner's by default")
    .action((kind: string, options: NewChannel) => acting((by) => add(by, kind, options)))
  notify
    .command("test")
    .description("send a test, and print what the receiver answered")
    .argument("<channel>", "its id")
    .action((id: string) => acting((by) => test(by, id)))
  notify
    .command("remove")
    .description("delete a channel")
    .argument("<channel>", "its id")
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
  if (state !== "delivered") throw new Refused(`${id} could not be told: ${error}`)
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
  return tellRows<Channel>(by, "/notifications", (channel) => {
    if (json) return JSON.stringify(channel)
    const { id, kind, target, events, enabled, name, lastDelivery: last } = channel
    return [
      id,
      kind,
      target,
      events.join(","),
      enabled ? "on" : "off",
      last ? `${last.state} ${last.at}${last.error ? ` ${last.error}` : ""}` : "nothing told",
      ...(name ? [name] : []),
    ].join("\t")
  })
}
