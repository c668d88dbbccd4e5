import { Database } from "bun:sqlite"
import { afterAll, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openStore } from "../../src/store/store.ts"
import { trawlCommand } from "../trawl.ts"

/** Start-up errors as a user sees them: each test starts a process. */
const folder = mkdtempSync(join(tmpdir(), "trawl-start-"))
afterAll(async () => {
  await other.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

function environment(settings: Record<string, string>) {
  return {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    TRAWL_PORT: "0",
    TRAWL_DATA_DIR: join(folder, "data"),
    ...settings,
  }
}

async function trawl(words: string[], settings: Record<string, string> = {}) {
  const child = Bun.spawn([...trawlCommand, ...words], {
    cwd: folder,
    env: environment(settings),
    stdout: "pipe",
    stderr: "pipe",
  })
  const [stderr, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
  return { code, stderr }
}

/** Returns a data folder of this version, changed by `work`. */
async function prepared(name: string, work: (database: string) => void): Promise<string> {
  const path = join(folder, name)
  await openStore(path).close()
  work(join(path, "trawl.db"))
  return path
}

const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
const port = String(other.port)
writeFileSync(join(folder, "file"), "")
const damaged = await prepared("damaged", (path) => writeFileSync(path, "no database ".repeat(999)))
const newer = await prepared("newer", (path) => {
  const sqlite = new Database(path)
  sqlite.run("INSERT INTO migrations (id, applied_at) VALUES ('999-later', '2030')")
  sqlite.close()
})

const troubles: [name: string, settings: Record<string, string>, reported: string[]][] = [
  ["a port in use", { TRAWL_PORT: port }, [`Port ${port}`, "TRAWL_PORT"]],
  [
    "a port in use for the metrics",
    { TRAWL_METRICS_ADDRESS: `127.0.0.1:${port}` },
    [`127.0.0.1:${port}`, "TRAWL_METRICS_ADDRESS"],
  ],
  ["an address of others", { TRAWL_HOST: "192.0.2.1" }, ["192.0.2.1", "TRAWL_HOST"]],
  ["an unknown host name", { TRAWL_HOST: "unknown.invalid" }, ["unknown.invalid", "TRAWL_HOST"]],
  [
    "a data folder in a file",
    { TRAWL_DATA_DIR: join(folder, "file/data") },
    ["file/data", "TRAWL_DATA_DIR"],
  ],
  ["a data folder that is a file", { TRAWL_DATA_DIR: join(folder, "file") }, ["TRAWL_DATA_DIR"]],
  ["a damaged database", { TRAWL_DATA_DIR: damaged }, ["damaged", "trawl.db", "backup"]],
  ["a newer database", { TRAWL_DATA_DIR: newer }, ["newer version", "999-later"]],
  ["a wrong setting", { TRAWL_TRUST_PROXY: "nginx" }, ["TRAWL_TRUST_PROXY", "nginx"]],
]

describe("trawl serve reports what is wrong in one sentence, and exits with 2", () => {
  for (const [name, settings, reported] of troubles) {
    test(name, async () => {
      const { code, stderr } = await trawl(["serve"], settings)
      const lines = stderr.trim().split("\n")
      const { level, msg } = JSON.parse(lines.at(-1)!)
      expect({ code, level, lines: lines.length }).toEqual({ code: 2, level: "fatal", lines: 1 })
      for (const words of reported) expect(msg).toContain(words)
      expect(msg).not.toMatch(/\n|Error:| at /)
    }, 180_000)
  }
})

describe("the other commands report it in plain words", () => {
  const commands: [
    name: string,
    words: string[],
    settings: Record<string, string>,
    reported: string,
  ][] = [
    ["account", ["account", "list"], { TRAWL_DATA_DIR: join(folder, "file/x") }, "TRAWL_DATA_DIR"],
    ["account, newer", ["account", "list"], { TRAWL_DATA_DIR: newer }, "newer version"],
    ["account, damaged", ["account", "list"], { TRAWL_DATA_DIR: damaged }, "damaged"],
    ["doctor", ["doctor"], { TRAWL_WORKER: "2" }, "TRAWL_WORKERS"],
    ["mcp", ["mcp"], { TRAWL_CHROME: "/there/is/none" }, "TRAWL_CHROME"],
  ]
  for (const [name, words, settings, reported] of commands) {
    test(name, async () => {
      const { code, stderr } = await trawl(words, settings)
      expect(code).toBe(2)
      expect(stderr.trim().split("\n")).toHaveLength(1)
      expect(stderr).toContain(reported)
    }, 180_000)
  }

  test("backup to a folder that does not exist", async () => {
    const data = await prepared("kept", () => {})
    const file = join(folder, "nowhere/copy.db")
    const { code, stderr } = await trawl(["backup", file], { TRAWL_DATA_DIR: data })
    expect(code).toBe(2)
    expect(stderr).toContain(file)
    expect(stderr.trim().split("\n")).toHaveLength(1)
  }, 180_000)
})

test("on a terminal, serve prints which URLs to open", async () => {
  const cwd = join(folder, "terminal")
  mkdirSync(cwd)
  let screen = ""
  const child = Bun.spawn([...trawlCommand], {
    cwd,
    env: environment({ TRAWL_DATA_DIR: join(cwd, "data") }),
    terminal: {
      data(_, bytes) {
        screen += new TextDecoder().decode(bytes)
      },
    },
  })
  const shows = async (pattern: RegExp) => {
    while (!pattern.test(screen) && child.exitCode === null) await Bun.sleep(20)
    expect(screen).toMatch(pattern)
  }
  try {
    await shows(/Ctrl\+C to stop/)
    const root = /http:\/\/127\.0\.0\.1:\d+/.exec(screen)![0]
    for (const words of [`${root}/docs`, `${root}/signup`, `curl '${root}/api/scrape`, cwd]) {
      expect(screen).toContain(words)
    }
    const forwarded = { headers: { "x-forwarded-for": "203.0.113.9" } }
    for (let call = 0; call < 3; call++) await fetch(`${root}/api/v1/me`, forwarded)
    await shows(/(?:GET \/api\/v1\/me 401[\s\S]*){3}/)
    expect(screen).not.toContain("{")
    // Logged once, however many such requests come.
    expect(screen.match(/set TRAWL_TRUST_PROXY=127\.0\.0\.1/g)).toHaveLength(1)
  } finally {
    child.kill("SIGTERM")
    expect(await child.exited).toBe(0)
  }
}, 180_000)
