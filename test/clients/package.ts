import { afterAll, beforeAll, expect, test } from "bun:test"
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { packJavaScript } from "../../scripts/release/clients.ts"
import { everyNth } from "../samples.ts"
import { output, type RunningService, root, sharedService } from "./service.ts"

/** The package as a user gets it: packed, installed into an empty project, run by each runtime. */
const folder = mkdtempSync(join(tmpdir(), "trawl-client-"))
const installed = join(folder, "node_modules/trawl-client")
/** Paths of further versions of Node.js, separated by commas. */
const nodes = ["node", ...(process.env.CLIENT_NODES?.split(",") ?? [])]
const deno = Bun.which("deno")

let service: RunningService
beforeAll(async () => {
  service = await sharedService()
  // Packed from a copy, because other tests can read the folder at the same time.
  const copy = join(folder, "source")
  cpSync(join(root, "packages/client"), join(copy, "packages/client"), {
    recursive: true,
    filter: (path) => !path.endsWith("/dist"),
  })
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  packJavaScript(copy, folder)
  writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  const [archive] = readdirSync(folder).filter((name) => name.endsWith(".tgz"))
  await output(["npm", "install", "--offline", "--no-audit", "--no-fund", `./${archive}`], {
    cwd: folder,
  })
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = `
const trawl = new Trawl({ baseUrl: BASE, apiKey: KEY })
const { items } = await trawl.run("pypi-package-scraper", { packages: ["flask"] })
const names = []
for await (const item of trawl.iterate("pypi-package-scraper", { packages: ["tidecharts"] })) {
  names.push(item.name)
}
const page = await new Trawl({ baseUrl: BASE }).scrape("https://example.com")
const { id } = await trawl.batches.upload("pypi-package-scraper", "flask\\n", { type: "text/plain" })
const batch = await trawl.batches.wait(id)
const refusal = await trawl.wait("run_none").catch((error) => error)
console.log(
  [items[0].version, names, page.title, batch.itemCount, refusal instanceof NotFound].join(" "),
)
`
const expected = "3.1.2 tidecharts Example Domain 1 true\n"

function writeProgram(file: string, first: string): string {
  const constants = `const BASE = ${JSON.stringify(service.url)}\nconst KEY = ${JSON.stringify(service.key)}\n`
  const path = join(folder, file)
  writeFileSync(path, `${first}\n${constants}${program}`)
  return path
}

for (const node of nodes) {
  test(`it runs on ${node}`, async () => {
    const path = writeProgram("index.js", 'import { NotFound, Trawl } from "trawl-client"')
    expect(await output([node, path])).toBe(expected)
  }, 120_000)
}

test("CommonJS can require it on the installed Node.js", async () => {
  const path = join(folder, "index.cjs")
  writeFileSync(path, 'console.log(typeof require("trawl-client").Trawl)')
  const [major, minor] = (await output(["node", "--version"])).slice(1).split(".").map(Number)
  // Earlier versions cannot require modules.
  const canRequire = major! > 22 || (major === 22 && minor! >= 12) || (major === 20 && minor! >= 19)
  if (canRequire) expect(await output(["node", "--no-warnings", path])).toBe("function\n")
})

test("it runs on Bun", async () => {
  const path = writeProgram("bun.js", 'import { NotFound, Trawl } from "trawl-client"')
  expect(await output([process.execPath, path], { cwd: folder })).toBe(expected)
}, 120_000)

test.skipIf(!deno)(
  "it runs on Deno",
  async () => {
    const path = writeProgram(
      "deno.mjs",
      `import { NotFound, Trawl } from ${JSON.stringify(join(installed, "dist/index.js"))}`,
    )
    expect(await output([deno!, "run", "--allow-net=127.0.0.1", path])).toBe(expected)
  },
  120_000,
)

test("it contains only JavaScript, types, the licence and the description", () => {
  const files = readdirSync(installed, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
  expect(files.filter((name) => !/\.(?:d\.ts|js)$/.test(name)).sort()).toEqual([
    "LICENSE",
    "README.md",
    "package.json",
  ])
  const modules = new Set(files.filter((name) => name.endsWith(".js")))
  expect(files.filter((name) => name.endsWith(".d.ts")).length).toBe(modules.size)
})

test("browsers can load it: it imports nothing else", async () => {
  const built = await Bun.build({
    entrypoints: [join(installed, "dist/index.js")],
    target: "browser",
    minify: true,
  })
  const [bundle] = built.outputs
  const source = await bundle!.text()
  expect(source).not.toMatch(/\bfrom\s*["']|\bimport\s*\(|\bprocess\.|\bBuffer\b|\bBun\./)
  expect(source.length).toBeLessThan(25_000)
})

/** Version 5 takes five seconds, so `bun run verify` compiles by version 7 only. */
const compilers = everyNth(["typescript", "typescript5"], 2)

test.each(compilers)(
  "%s compiles against it",
  async (compiler) => {
    const use = `import { NotFound, recipe, Trawl } from "trawl-client"
const trawl = new Trawl({ baseUrl: "http://127.0.0.1:8080" })
async function read() {
  const { items } = await trawl.run("url-to-markdown-scraper", { urls: ["https://example.com"] })
  const title: string | null | undefined = items[0]?.title
  for await (const item of trawl.iterate(recipe<{ price: number }>("shop"), {})) item.price.toFixed()
  // @ts-expect-error the input has no such value
  await trawl.run("url-to-markdown-scraper", { urls: ["https://example.com"], formats: ["poem"] })
  // @ts-expect-error there is no such scraper
  await trawl.run("poem-scraper", {})
  return title
}
read().catch((error) => error instanceof NotFound && error.status)
`
    writeFileSync(join(folder, "use.mts"), use)
    const compilerOptions = {
      ...{ noEmit: true, strict: true, target: "es2022", module: "nodenext", types: [] },
      lib: ["es2022", "dom"],
    }
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["use.mts"] }),
    )
    await output(["node", join(root, `node_modules/${compiler}/bin/tsc`), "--project", folder])
  },
  120_000,
)

test("the version is that of Trawl, and it supports Node.js 18", () => {
  const read = (path: string) => JSON.parse(readFileSync(path, "utf8"))
  const { version, engines, license } = read(join(installed, "package.json"))
  expect({ version, engines, license }).toEqual({
    version: read(join(root, "package.json")).version,
    engines: { node: ">=18" },
    license: "MIT",
  })
})
