import { join } from "node:path"
import { Installation } from "../api/process.ts"
import { ownCases } from "../corpus-run.ts"

export const root = join(import.meta.dir, "../..")

/** A running service with recorded upstreams, and an account. */
export interface RunningService {
  url: string
  key: string
  /** Returns the API key of a new account with this name. */
  newKey(name: string): Promise<string>
}

let shared: Promise<RunningService & { stop(): Promise<void> }> | undefined

/** Returns the service of all clients, and starts it first. */
export const sharedService = (): Promise<RunningService> => (shared ??= startService())

export async function stopService(): Promise<void> {
  await (await shared)?.stop()
  shared = undefined
}

async function startService() {
  const installation = new Installation({
    TRAWL_REPLAY: [join(root, "test/fixtures/guide"), ownCases].join(","),
    TRAWL_KEYLESS_WAIT: "110",
    TRAWL_RATE_LIMIT: "0",
    TRAWL_FREE_DAILY: "1000",
  })
  const serving = await installation.serve()
  const newKey = async (name: string) => {
    const account = await installation.run("account", "create", `${name}@example.com`)
    return account.stdout.trim().split(/\s+/).at(-1)!
  }
  return {
    url: serving.root,
    key: await newKey("ada"),
    newKey,
    async stop() {
      await serving.end()
      await installation.remove()
    },
  }
}

/** Runs a program to its end, and returns its output. Fails with the output of one that fails. */
export async function output(
  command: string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<string> {
  const child = Bun.spawn(command, {
    ...options,
    env: { ...process.env, ...options.env },
    stdout: "pipe",
    stderr: "pipe",
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${stderr}${stdout}`)
  return stdout
}
