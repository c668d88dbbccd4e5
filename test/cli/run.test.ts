import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parse } from "csv-parse/sync"
import { ownEnvironment, trawlCommand } from "../trawl.ts"

const recorded = join(import.meta.dir, "../cases/pypi-package-scraper/toolbox-and-missing")
const folder = mkdtempSync(join(tmpdir(), "trawl-cli-"))

const page = `<html lang="en"><head><title>A page</title>
<meta name="description" content="Made for a test."></head><body><h1>A page</h1></body></html>`
let requested = 0
const site: Bun.Server<undefined> = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request): Response {
    requested++
    if (!request.url.endsWith("/page")) return new Response("no", { status: 404 })
    return new Response(page, { headers: { "content-type": "text/html" } })
  },
})
afterAll(() => {
  site.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

async function trawl(words: string[], stdin = "", env: Record<string, string> = {}) {
  const child = Bun.spawn([...trawlCommand, ...words], {
    cwd: folder,
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
    env: {
      ...ownEnvironment,
      TRAWL_EGRESS_ALLOW: "127.0.0.1",
      TRAWL_DATA_DIR: join(folder, "data"),
      ...env,
    },
  })
  const [out, log, code] = await Promise.all([
    // Bytes, because text() would drop the byte order mark at the start of CSV.
    new Response(child.stdout).bytes().then((bytes) => Buffer.from(bytes).toString()),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, log, code }
}

test("trawl serve names the missing recorded case", async () => {
  const env = { TRAWL_PORT: "0", TRAWL_DATA_DIR: join(folder, "served"), TRAWL_REPLAY: folder }
  const { log, code } = await trawl(["serve"], "", env)
  expect(code).toBe(2)
  expect(log).toContain(`TRAWL_REPLAY: ${folder} contains no readable case.json`)
})

const replay = ["run", "pypi-package-scraper", "--replay", recorded]

describe("trawl run with TRAWL_REPLAY", () => {
  const packages = ["run", "pypi-package-scraper", "toolbox-kit", "--quiet"]
  test("answers from the cases of a folder of folders", async () => {
    const { out, code } = await trawl(packages, "", { TRAWL_REPLAY: join(recorded, "..") })
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject([{ name: "Toolbox-Kit" }])
  })
  test("names a folder without a case", async () => {
    const { log, code } = await trawl(packages, "", { TRAWL_REPLAY: join(folder, "nothing") })
    expect(code).toBe(2)
    expect(log).toContain(`TRAWL_REPLAY: ${join(folder, "nothing")} contains no readable case.json`)
  })
})

describe("trawl run --replay", () => {
  test("reads the case's input, prints one JSON array, and nothing else on stdout", async () => {
    const { out, code } = await trawl(replay)
    const items = JSON.parse(out)
    expect(code).toBe(0)
    expect(items.length).toBe(3)
    expect(items[0]).toMatchObject({ name: "Toolbox-Kit" })
    expect(items[1]).toMatchObject({ error: { code: "not_found" } })
  })

  test("prints JSON lines and CSV, too", async () => {
    const lines = await trawl([...replay, "--format", "jsonl"])
    expect(
      lines.out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)).length,
    ).toBe(3)
    const { out } = await trawl([...replay, "--format", "csv"])
    expect(out.startsWith("\ufeffinput,name,version")).toBe(true)
    const rows: Record<string, string>[] = parse(out, { columns: true, bom: true })
    expect(rows[0]).toMatchObject({ name: "Toolbox-Kit", "error.code": "" })
    expect(rows[1]).toMatchObject({ input: "no-such-package", "error.code": "not_found" })
  })

  test("prints the items of a failed run, and the reason on stderr", async () => {
    const input = JSON.stringify({ packages: ["no-such-package"] })
    const { out, log, code } = await trawl([...replay, "--input", input])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject([{ error: { code: "not_found" } }])
    expect(log).toContain("does not exist")
  })

  test("reads its input from a file or from standard input", async () => {
    const input = JSON.stringify({ packages: ["Toolbox-Kit"] })
    const path = join(folder, "input.json")
    await Bun.write(path, input)
    for (const [word, stdin] of [
      [`@${path}`, ""],
      ["-", input],
    ] as const) {
      const { out, code } = await trawl([...replay, "--input", word], stdin)
      expect(code).toBe(0)
      expect(JSON.parse(out).length).toBe(1)
    }
  })
})

describe("trawl run with bad arguments prints nothing on stdout and exits with 2", () => {
  const cases: [string, string[], string][] = [
    ["a page without a scheme", ["example.com/page"], "trawl https://example.com/page"],
    ["an unknown command", ["srve"], '"serve"'],
    ["an unknown scraper", ["run", "pypi-pakage"], '"pypi-package-scraper"'],
    ["an unknown field", [...replay, "--input", '{"packges":["a"]}'], '"packages"'],
    ["no input", ["run", "pypi-package-scraper"], '"packages" is required'],
    ["no JSON", [...replay, "--input", "{packages}"], "not valid JSON"],
    ["no such file", [...replay, "--input", "@nowhere.json"], "nowhere.json"],
    ["no such case", ["run", "pypi-package-scraper", "--replay", "nowhere"], "nowhere"],
    ["an unknown format", [...replay, "--format", "xml"], "xml"],
    ["two worlds", [...replay, "--record", "there"], "not both"],
  ]
  for (const [name, words, says] of cases) {
    test(name, async () => {
      const { out, log, code } = await trawl(words)
      expect({ out, code }).toEqual({ out: "", code: 2 })
      expect(log).toContain(says)
    })
  }
})

test("a live run can be recorded, and replayed without the network", async () => {
  const input = JSON.stringify({ urls: [`${site.url}page`] })
  const there = join(folder, "recorded")
  const live = await trawl(["run", "meta-tags-scraper", "--input", input, "--record", there])
  expect(live.code, live.log).toBe(0)
  expect(JSON.parse(live.out)[0]).toMatchObject({ title: "A page" })
  const before = requested
  const again = await trawl(["run", "meta-tags-scraper", "--replay", there])
  expect(requested).toBe(before)
  expect(JSON.parse(again.out)[0].title).toBe("A page")
})

describe("the other commands", () => {
  test("trawl --help explains URLs, too", async () => {
    const { out, code } = await trawl(["--help"])
    expect(code).toBe(0)
    expect(out).toContain("prints the page as Markdown: trawl https://example.com")
  })

  test("trawl scrapers lists all, and shows how to use one", async () => {
    const all = await trawl(["scrapers"])
    expect(all.out).toContain("pypi-package-scraper")
    const one = await trawl(["scrapers", "pypi-package-scraper"])
    expect(one.out).toContain("trawl run pypi-package-scraper --input '{")
    expect(one.out).toContain("includeDownloads?")
    expect((await trawl(["scrapers", "nothing-alike-at-all"])).code).toBe(2)
  })

  test("trawl config prints every setting", async () => {
    const { out, code } = await trawl(["config"])
    expect(code).toBe(0)
    expect(out).toMatch(/^TRAWL_PORT +8080 +\S/m)
  })

  test("trawl doctor reports the state, and creates nothing", async () => {
    const { out } = await trawl(["doctor"])
    expect(out).toMatch(/^ok +data folder .*can be created$/m)
    expect(out).toMatch(/^ok +clock/m)
    expect(out).toMatch(/^note +contact +none: set TRAWL_CONTACT/m)
    expect(existsSync(join(folder, "data"))).toBe(false)
  })

  test("an unreadable setting is named", async () => {
    const child = Bun.spawnSync([...trawlCommand, "doctor"], {
      cwd: folder,
      env: { ...ownEnvironment, TRAWL_PORT: "many" },
    })
    expect(child.exitCode).toBe(2)
    expect(child.stderr.toString()).toContain("TRAWL_PORT")
  })
})
