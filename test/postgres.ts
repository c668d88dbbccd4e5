import { existsSync, mkdtempSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openPostgres } from "../src/store/postgres/client.ts"

/** Where Debian, and where others put the programs of PostgreSQL's server. */
function findPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql"
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : []
  const folders = versions.map((version) => join(debian, version, "bin"))
  const onPath = Bun.which("postgres")
  if (onPath) folders.push(join(onPath, ".."))
  return folders.find((folder) => existsSync(join(folder, "initdb")))
}

const programs = findPrograms()
export const hasPostgres = process.env.TRAWL_TEST_POSTGRES !== undefined || programs !== undefined
if (!hasPostgres) {
  console.warn(
    "PostgreSQL was not found: the tests of the store against it are skipped. Install Debian's `postgresql`, or set TRAWL_TEST_POSTGRES to the address of a server whose user may make databases.",
  )
}

/** PostgreSQL refuses to be run by root. */
const asNobody = () =>
  process.getuid?.() === 0
    ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]
    : []

/** Nothing of a test needs to outlast a power cut. */
const settings = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=200",
]

let started: Promise<string> | undefined

/** The address of a server's maintenance database; one server a process, unless one is given. */
export function postgresServer(): Promise<string> {
  const given = process.env.TRAWL_TEST_POSTGRES
  started ??= given ? Promise.resolve(given) : start()
  return started
}

async function start(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-postgres-"))
  const data = join(folder, "data")
  if (process.getuid?.() === 0) Bun.spawnSync(["chown", "nobody:nogroup", folder])
  const run = (command: string[]) => {
    const { exitCode, stderr } = Bun.spawnSync([...asNobody(), ...command], { cwd: folder })
    if (exitCode !== 0) throw new Error(`${command[0]}: ${stderr}`)
  }
  const options = ["--auth=trust", "--username=trawl", "--no-sync", "--encoding=UTF8"]
  run([join(programs!, "initdb"), "-D", data, ...options, "--locale=C.UTF-8"])
  const port = freePort()
  const flags = settings.flatMap((setting) => ["-c", setting])
  // It ends with this process, however that ends: its input is closed then.
  const script = `"$@" & wait_for=$!; cat > /dev/null; kill -INT $wait_for; wait $wait_for; rm -rf ${folder}`
  Bun.spawn(
    [
      ...[...asNobody(), "sh", "-c", script, "sh", join(programs!, "postgres"), "-D", data],
      ...["-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1", ...flags],
    ],
    { cwd: folder, stdin: "pipe", stdout: "ignore", stderr: "ignore" },
  ).unref()
  const url = `postgres://trawl@127.0.0.1:${port}/postgres`
  await answering(url)
  return url
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
  const { port } = listener
  listener.stop()
  return port
}

async function answering(url: string): Promise<void> {
  const until = Date.now() + 60_000
  for (;;) {
    const client = openPostgres(url, 1)
    try {
      await client`SELECT 1`
      return
    } catch (error) {
      if (Date.now() > until) throw error
      await Bun.sleep(50)
    } finally {
      await client.close({ timeout: 0 })
    }
  }
}

/** A database of its own, with nothing in it; its address. */
export async function freshDatabase(): Promise<string> {
  const server = await postgresServer()
  const name = `trawl_${crypto.randomUUID().replaceAll("-", "")}`
  const client = openPostgres(server, 1)
  try {
    await client.unsafe(`CREATE DATABASE ${name}`)
  } finally {
    await client.close()
  }
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/** Takes away all that a database holds, and leaves its tables. */
export async function emptied(url: string): Promise<void> {
  const client = openPostgres(url, 1)
  try {
    const kept = ["migrations", "secrets", "duties"]
    const tables: { tablename: string }[] = await client`
      SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`
    const names = tables.map(({ tablename }) => tablename).filter((name) => !kept.includes(name))
    await client.unsafe(`TRUNCATE ${names.join(", ")} RESTART IDENTITY CASCADE`)
  } finally {
    await client.close()
  }
}
