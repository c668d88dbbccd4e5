import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openPostgres } from "../src/store/db/postgres/client.ts"
import { freePort } from "./free-port.ts"

/** Directories of PostgreSQL's server programs on Debian and elsewhere. */
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

export const programs = findPrograms()
export const hasPostgres = process.env.TRAWL_TEST_POSTGRES !== undefined || programs !== undefined
if (!hasPostgres) {
  console.warn(
    "PostgreSQL was not found: the tests of the store against it are skipped. Install Debian's `postgresql`, or set TRAWL_TEST_POSTGRES to the address of a server whose user may make databases.",
  )
}

/** PostgreSQL refuses to be run by root. */
export const asUnprivilegedUser = () =>
  process.getuid?.() === 0
    ? ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"]
    : []

/** No test needs its data to survive a power cut. */
const quick = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"]
/** Enough for several clusters of processes with some 40 connections each. */
const connections = "max_connections=600"

let started: Promise<PostgresServer> | undefined

/**
 * Returns the URL of a server's maintenance database: of TRAWL_TEST_POSTGRES, else of one server for
 * this process, with its data in `folder`.
 */
export async function postgresServer(folder = tmpdir()): Promise<string> {
  const provided = process.env.TRAWL_TEST_POSTGRES
  if (provided) return provided
  started ??= PostgresServer.start(quick, folder)
  return (await started).url
}

/**
 * Stops the server that `postgresServer` started. Test files in one process share it, so tests do
 * not call this.
 */
export async function stopPostgres(): Promise<void> {
  await (await started)?.stop()
  started = undefined
}

/** Starts a separate server on a free port. It ends with this process, however that ends. */
export class PostgresServer {
  readonly url: string
  private child?: Bun.Subprocess<"pipe", "ignore", "ignore">

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly settings: readonly string[],
  ) {
    this.url = `postgres://trawl@127.0.0.1:${port}/postgres`
  }

  /** @param settings Added to the server's own, as `name=value`. */
  static async start(settings: readonly string[] = [], parent = tmpdir()): Promise<PostgresServer> {
    const folder = mkdtempSync(join(parent, "trawl-postgres-"))
    if (process.getuid?.() === 0) Bun.spawnSync(["chown", "nobody:nogroup", folder])
    const initdb = [join(programs!, "initdb"), "-D", join(folder, "data"), "--locale=C.UTF-8"]
    const options = ["--auth=trust", "--username=trawl", "--no-sync", "--encoding=UTF8"]
    const { exitCode, stderr } = Bun.spawnSync([...asUnprivilegedUser(), ...initdb, ...options], {
      cwd: folder,
    })
    if (exitCode !== 0) throw new Error(`initdb: ${stderr}`)
    const server = new PostgresServer(folder, freePort(), [connections, ...settings])
    await server.startAgain()
    return server
  }

  /** Starts the server again after a crash. */
  async startAgain(): Promise<void> {
    const { folder, port } = this
    const flags = this.settings.flatMap((setting) => ["-c", setting])
    // Its stdin is closed when this process ends; only then is its folder removed.
    const script = `"$@" & server=$!; cat > /dev/null; kill -INT $server; wait $server; rm -rf ${folder}`
    this.child = Bun.spawn(
      [
        ...[...asUnprivilegedUser(), "sh", "-c", script, "sh", join(programs!, "postgres")],
        ...["-D", join(folder, "data"), "-p", String(port), "-k", folder],
        ...["-c", "listen_addresses=127.0.0.1", ...flags],
      ],
      { cwd: folder, stdin: "pipe", stdout: "ignore", stderr: "ignore" },
    )
    this.child.unref()
    await answering(this.url)
  }

  /** Stops the server; its shell then removes its folder. */
  async stop(): Promise<void> {
    this.child?.stdin.end()
    await this.child?.exited
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Kills all of its processes at once with SIGKILL. */
  crash(): Promise<void> {
    return crashServer(join(this.folder, "data"))
  }
}

/** Kills all processes of the server in a folder at once with SIGKILL. */
export async function crashServer(data: string): Promise<void> {
  const lock = join(data, "postmaster.pid")
  const pid = Number(readFileSync(lock, "utf8").split("\n")[0])
  // The main process is stopped first: it would take a killed child for a crash and restart the
  // others.
  process.kill(pid, "SIGSTOP")
  const { stdout } = Bun.spawnSync(["pgrep", "-P", String(pid)])
  const children = stdout.toString().trim().split("\n").filter(Boolean).map(Number)
  for (const one of [pid, ...children]) process.kill(one, "SIGKILL")
  while ([pid, ...children].some(isAlive)) await Bun.sleep(5)
  rmSync(lock, { force: true })
}

function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"))
  } catch {
    return false
  }
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

/**
 * Creates an empty database and returns its URL.
 * @param at The URL of a server (default: the tests' own).
 */
export async function freshDatabase(at?: string): Promise<string> {
  const server = at ?? (await postgresServer())
  const name = `trawl_${crypto.randomUUID().replaceAll("-", "")}`
  const client = openPostgres(server, 1)
  try {
    await client.unsafe(`CREATE DATABASE ${name}`)
  } finally {
    await client.close()
  }
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/** Deletes all rows of a database and keeps its tables. */
export async function emptyDatabase(url: string): Promise<void> {
  const client = openPostgres(url, 1)
  try {
    const stored = ["migrations", "secrets", "duties"]
    // Its triggers reject deletes.
    await client`TRUNCATE ledger`
    const tables: { tablename: string }[] = await client`
      SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`
    const names = tables.map(({ tablename }) => tablename).filter((name) => !stored.includes(name))
    const queries = names.map(
      (name) => `SELECT '${name}' AS name WHERE EXISTS (SELECT 1 FROM ${name})`,
    )
    const filled: { name: string }[] = await client.unsafe(queries.join(" UNION ALL "))
    // TRUNCATE creates new files for all forty tables and their indexes; a test fills few of them.
    // One statement, because the tables refer to each other.
    const parts = filled.map(({ name }) => `${name}_ AS (DELETE FROM ${name})`)
    if (parts.length > 0) await client.unsafe(`WITH ${parts.join(", ")} SELECT 1`)
    await client`SELECT setval(seqrelid, seqstart, false) FROM pg_sequence`
  } finally {
    await client.close()
  }
}
