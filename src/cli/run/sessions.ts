import { readFileSync } from "node:fs"
import type { Command } from "commander"
import { messageOf } from "../../base/error-message.ts"
import { parseJson } from "../../base/json-text.ts"
import { type OtherService, Unanswered } from "../../engine/net/network/other-service.ts"
import { BadUse } from "../common/bad-use.ts"
import { cannotRead } from "../common/file-errors.ts"
import { remoteService } from "./remote-service.ts"

interface Remote {
  remote: string
  key?: string
}

interface Session {
  id: string
  name: string
  hosts: string[]
  status: string
  reason: string | null
  signedIn: boolean
  lastUsedAt: string | null
  createdAt: string
  updatedAt: string
}

const path = "/api/v1/sessions"
const pathOf = (name: string) => `${path}/${encodeURIComponent(name)}`

/** `trawl sessions …`: manages sessions of an account on a server. */
export function registerSessions(program: Command): void {
  const sessions = program
    .command("sessions")
    .description(
      "Manage sessions of an account on a server, for example: trawl sessions import shop cookies.txt --remote https://trawl.example.com",
    )
  const add = (command: Command) =>
    command
      .requiredOption("--remote <url>", "URL of the Trawl server")
      .option("--key <key>", "API key of that server (default: TRAWL_API_KEY)")
  add(sessions.command("list"))
    .description("List the sessions")
    .option("--json", "print JSON Lines", false)
    .action(({ json, ...remote }: Remote & { json: boolean }) =>
      acting(remote, (server) => list(server, json)),
    )
  add(sessions.command("import"))
    .description("Create a session from cookies, or import them again")
    .argument("<name>", "name of the session")
    .argument(
      "<file>",
      "cookies.txt, JSON cookies, Playwright storageState or a cURL command; - reads standard input",
    )
    .option("--hosts <hosts>", "hosts that receive it, comma-separated (default: of the cookies)")
    .action((name: string, file: string, { hosts, ...remote }: Remote & { hosts?: string }) =>
      acting(remote, (server) => importInto(server, name, { import: textOf(file) }, hosts)),
    )
  add(sessions.command("recipe"))
    .description("Create a session with a log-in recipe, or replace its recipe, and log in")
    .argument("<name>", "name of the session")
    .argument("<file>", "JSON with steps and secrets; - reads standard input")
    .option("--hosts <hosts>", "hosts that receive it, comma-separated (default: of the steps)")
    .action((name: string, file: string, { hosts, ...remote }: Remote & { hosts?: string }) =>
      acting(remote, async (server) => {
        await importInto(server, name, { login: jsonOf(file) }, hosts)
        await logIn(server, name)
      }),
    )
  add(sessions.command("login"))
    .description("Log in now by the session's recipe")
    .argument("<name>", "name of the session")
    .action((name: string, remote: Remote) => acting(remote, (server) => logIn(server, name)))
  add(sessions.command("remove"))
    .description("Delete a session with its cookies")
    .argument("<name>", "name of the session")
    .action((name: string, remote: Remote) =>
      acting(remote, async (server) => {
        await server.text("DELETE", pathOf(name))
        console.log(`${name} removed`)
      }),
    )
}

async function acting(
  { remote, key }: Remote,
  work: (server: OtherService) => Promise<void>,
): Promise<void> {
  try {
    await work(remoteService(remote, key))
  } catch (error) {
    if (!(error instanceof BadUse || error instanceof Unanswered)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}

async function list(server: OtherService, json: boolean): Promise<void> {
  const { items } = await server.json<{ items: Session[] }>("GET", `${path}?limit=1000`)
  for (const session of items) {
    const { name, status, signedIn, hosts, lastUsedAt, reason } = session
    const state = status === "active" && !signedIn ? "not logged in yet" : status
    const fields = [name, state, hosts.join(","), lastUsedAt ?? "never used", reason ?? ""]
    console.log(json ? JSON.stringify(session) : fields.join("\t").trimEnd())
  }
}

async function importInto(
  server: OtherService,
  name: string,
  parts: Record<string, unknown>,
  hosts: string | undefined,
): Promise<void> {
  const own = hosts?.split(",").map((host) => host.trim())
  const body = { ...parts, ...(own && { hosts: own }) }
  const session = await server.json<Session>("PUT", pathOf(name), body)
  const isNew = session.createdAt === session.updatedAt
  console.log(`${session.name} ${isNew ? "created" : "changed"}: ${session.hosts.join(", ")}`)
}

/** Logs in with the recipe. @throws BadUse if it failed */
async function logIn(server: OtherService, name: string): Promise<void> {
  const { status, reason } = await server.json<Session>("POST", `${pathOf(name)}/login`)
  if (status !== "active") throw new BadUse(`The log-in of ${name} failed: ${reason}`)
  console.log(`${name} logged in`)
}

/** @throws BadUse */
function textOf(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8")
  } catch (error) {
    throw cannotRead(file, error)
  }
}

/** @throws BadUse */
function jsonOf(file: string): unknown {
  const text = textOf(file)
  try {
    return parseJson(text)
  } catch (error) {
    throw new BadUse(`${file} is not valid JSON: ${messageOf(error)}.`)
  }
}
