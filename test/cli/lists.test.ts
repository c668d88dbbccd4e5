import { afterAll, expect, setDefaultTimeout, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Type } from "@sinclair/typebox"
import { parse } from "csv-parse/sync"
import { xlsx } from "../../src/export/xlsx.ts"
import { ownEnvironment, trawlCommand } from "../trawl.ts"

// Some start the command line eight times, which takes seconds each on a busy machine.
setDefaultTimeout(180_000)

const folder = mkdtempSync(join(tmpdir(), "trawl-lists-"))
const requested = new Map<string, number>()
/** Pages without a response until the test releases them. */
const held = new Map<string, PromiseWithResolvers<void>>()

const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 60,
  async fetch(request): Promise<Response> {
    const { pathname } = new URL(request.url)
    requested.set(pathname, (requested.get(pathname) ?? 0) + 1)
    await held.get(pathname)?.promise
    if (pathname === "/gone") return new Response("no", { status: 404 })
    const html = `<title>${pathname}</title><h1>Page ${pathname}</h1><p>Some words of it.</p>`
    return new Response(html, { headers: { "content-type": "text/html" } })
  },
})
afterAll(() => {
  site.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

const root = `http://127.0.0.1:${site.port}`

function start(words: string[], stdin = "") {
  return Bun.spawn([...trawlCommand, ...words], {
    cwd: folder,
    stdin: new TextEncoder().encode(stdin),
    stdout: "pipe",
    stderr: "pipe",
    env: {
      ...ownEnvironment,
      TRAWL_EGRESS_ALLOW: "127.0.0.1",
      TRAWL_DATA_DIR: join(folder, "data"),
      XDG_STATE_HOME: join(folder, "state"),
      TRAWL_CHROME: "",
    },
  })
}

async function trawl(words: string[], stdin = "") {
  const child = start(words, stdin)
  const [out, log, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { out, log, code }
}

const hold = (path: string) => {
  const gate = Promise.withResolvers<void>()
  held.set(path, gate)
  return () => gate.resolve()
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await Bun.sleep(10)
}

test("a URL only prints the page as Markdown", async () => {
  const { out, code } = await trawl([`${root}/one`])
  expect({ out, code }).toEqual({ out: "# Page /one\n\nSome words of it.\n", code: 0 })
})

async function workbook(items: Record<string, unknown>[]): Promise<Buffer> {
  async function* provided() {
    yield* items
  }
  return Buffer.concat(await Array.fromAsync(xlsx(provided(), { schema: Type.Object({}) })))
}

test("values come from words, lines, tables and standard input; files by their extensions", async () => {
  writeFileSync(join(folder, "a.txt"), `${root}/a1\n\n ${root}/a2 \r\n`)
  writeFileSync(join(folder, "b.csv"), `\ufeffname,Url\r\nB,"${root}/b1"\r\nnone,\r\n`)
  writeFileSync(join(folder, "c.jsonl"), `{"page":"${root}/c1"}\n{"page":"${root}/gone"}\n`)
  await Bun.write(join(folder, "d.xlsx"), await workbook([{ note: "a", url: `${root}/d1` }]))
  const from = ["--from", "*.txt", "b.csv", "d.xlsx", "-", "-o", "out.csv"]
  const one = await trawl(["run", "meta-tags", `${root}/word`, ...from], `${root}/stdin\n`)
  expect(one).toEqual({ out: "", log: expect.any(String), code: 0 })
  const rows: { url: string }[] = parse(readFileSync(join(folder, "out.csv")), {
    columns: true,
    bom: true,
  })
  const paths = ["word", "a1", "a2", "b1", "d1", "stdin"]
  expect(rows.map(({ url }) => url)).toEqual(paths.map((path) => `${root}/${path}`))

  const table = ["run", "meta-tags", "--from", "c.jsonl", "--column", "page", "-o", "out.jsonl"]
  expect((await trawl([...table, "--quiet"])).log).toBe("")
  expect((await trawl([...table, "--fail-on-error"])).code).toBe(1)
  expect(readFileSync(join(folder, "out.jsonl"), "utf8").split("\n").length).toBe(3)

  const fields = '{"fields":["heading: h1"]}'
  const own = ["run", "web-scraper", `${root}/own`, "--input", fields, "--format", "jsonl"]
  const transform = ["--transform", "{'h': data.heading}"]
  expect((await trawl([...own, ...transform])).out).toBe('{"h":"Page /own"}\n')

  await trawl(["run", "url-to-markdown", `${root}/x/y`, `${root}/x/y?z=1`, "-o", "pages/"])
  const files = readdirSync(join(folder, "pages")).map((name) => name.replace(/^.*?-x/, "x"))
  expect(files.sort()).toEqual(["x-y-z-1.md", "x-y.md"])
})

test("tables in the formats of other countries' spreadsheets: semicolons, any name, no names", async () => {
  writeFileSync(
    join(folder, "eu.csv"),
    `\ufeffid;Preis;Adresse\r\n1;1,50;${root}/s1\r\n2;2;${root}/s2\r\n`,
  )
  writeFileSync(join(folder, "bare.csv"), `1;${root}/s3\n2;${root}/s4\n`)
  const words = ["run", "meta-tags", "--from", "eu.csv", "bare.csv", "--format", "jsonl", "--quiet"]
  const { out, log, code } = await trawl(words)
  expect([code, log]).toEqual([0, ""])
  const read = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).url)
  expect(read).toEqual(["s1", "s2", "s3", "s4"].map((path) => `${root}/${path}`))
  const named = ["run", "meta-tags", "--from", "eu.csv", "--column", "Adresse", "--format", "jsonl"]
  expect((await trawl(named)).code).toBe(0)
})

test("impossible input is refused with a message", async () => {
  writeFileSync(join(folder, "e.xlsx"), "no workbook")
  const cases: [string[], string][] = [
    [["run", "meta-tags", "--from", "no*.txt"], "No file matches no*.txt"],
    [["run", "meta-tags", "--from", "b.csv", "--column", "Link"], "name, Url"],
    [["run", "meta-tags", "--from", "e.xlsx"], "e.xlsx cannot be read: "],
    [["run", "meta-tags", `${root}/a`, "--transform", "a +"], "at character 3"],
    [["run", "meta-tags", `${root}/a`, "-o", "out.pdf"], "file extension of out.pdf is unknown"],
    [["run", "meta-tags", `${root}/a`, "-o", "pages/"], "does not return Markdown"],
    [["run", "pypi", "flask", "--method", "browser"], 'has no fetch method "browser"'],
    [["run", "github", "a"], "github-"],
  ]
  const reported = await Promise.all(cases.map(([words]) => trawl(words)))
  for (const [index, { out, log, code }] of reported.entries()) {
    expect({ out, code, log }).toEqual({
      out: "",
      code: 2,
      log: expect.stringContaining(cases[index]![1]),
    })
  }
})

test("items are printed as they arrive, and a signal keeps them", async () => {
  hold("/late")
  const words = ["run", "meta-tags", `${root}/early`, `${root}/late`, "--format", "jsonl"]
  const child = start(words)
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  expect(JSON.parse(new TextDecoder().decode(value)).url).toBe(`${root}/early`)
  await until(() => requested.has("/late"))
  child.kill("SIGTERM")
  expect((await reader.read()).done).toBe(true)
  expect(await child.exited).toBe(1)
})

test("after kill -9 a run continues from its checkpoint, and returns everything once", async () => {
  const paths = Array.from({ length: 30 }, (_, index) => `/r${index}`)
  const release = hold("/r20")
  const from = paths.map((path) => root + path)
  const words = ["run", "meta-tags", ...from, "--resume", "kept", "-o", "kept.jsonl"]
  const child = start([...words, "--concurrency", "2"])
  await until(() => requested.has("/r25"))
  child.kill("SIGKILL")
  await child.exited
  release()
  const { code, log } = await trawl(words)
  expect(code, log).toBe(0)
  const lines = readFileSync(join(folder, "kept.jsonl"), "utf8").trimEnd().split("\n")
  expect(lines.map((line) => JSON.parse(line).url).sort()).toEqual(from.sort())
  // Stored pages were not requested again; two were running, and some were not on disk yet.
  const twice = paths.filter((path) => requested.get(path)! > 1)
  expect(twice).toContain("/r20")
  expect(requested.get("/r0")).toBe(1)
  const other = await trawl(["run", "meta-tags", `${root}/else`, "--resume", "kept"])
  expect(other).toMatchObject({ code: 2, log: expect.stringContaining("another input") })
})

test("monitors keep their state", async () => {
  const words = ["run", "page-change-monitor", `${root}/watched`, "--format", "jsonl"]
  const first = JSON.parse((await trawl(words)).out)
  const second = JSON.parse((await trawl(words)).out)
  expect([first.status, second.status]).toEqual(["new", "unchanged"])
  expect(existsSync(join(folder, "state/trawl/memory/page-change-monitor.json"))).toBe(true)
  // The temporary files of a run are removed with the folder.
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith("trawl-run-"))
  expect(left.length).toBeLessThan(3)
})
