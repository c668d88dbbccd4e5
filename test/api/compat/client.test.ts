import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { recipe, Trawl, TrawlError } from "../../../packages/client/index.ts"
import { clientFiles } from "../../../scripts/list-client-types.ts"
import { DropIn } from "./compat.ts"

let here: DropIn
let trawl: Trawl
beforeAll(async () => {
  here = await DropIn.open()
  const { key } = await here.app.account()
  trawl = new Trawl({ baseUrl: here.root, apiKey: key })
})
afterAll(() => here.stop())

const page = (name: string) => `https://site.test/${name}`

test("knows what a scraper takes and gives", async () => {
  const { run, items, errors } = await trawl.run("url-to-markdown-scraper", {
    urls: [page("rope"), page("missing")],
    formats: ["links"],
  })
  const titles: (string | null)[] = items.map(({ title }) => title)
  expect(titles).toEqual(["Rope"])
  expect(errors).toMatchObject([{ error: { code: "not_found" } }])
  expect(run).toMatchObject({ status: "succeeded", itemCount: 1, errorCount: 1 })
  const ask = () =>
    // @ts-expect-error there is no such form
    trawl.run("url-to-markdown-scraper", { urls: [page("rope")], formats: ["poem"] })
  await expect(ask()).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("formats"),
  })
  // @ts-expect-error there is no such scraper
  await expect(trawl.start("poem-scraper", {})).rejects.toBeInstanceOf(TrawlError)
  // @ts-expect-error an item has no such field
  void items[0]?.poem
})

test("a run that gives nothing is an error that says why", async () => {
  const failed = trawl.run("url-to-markdown-scraper", { urls: [page("missing")] })
  const { status, message } = await failed.then(
    ({ run }) => ({ status: -1, message: run.status }),
    (error: TrawlError) => error,
  )
  expect({ status, message }).toMatchObject({
    status: 0,
    message: expect.stringContaining("failed"),
  })
  const anonymousCaller = new Trawl({ baseUrl: here.root, apiKey: "nobody" })
  await expect(anonymousCaller.run("sitemap-extractor", { url: page("") })).rejects.toMatchObject({
    status: 401,
  })
})

test("its types are those of the schemas (bun scripts/list-client-types.ts)", async () => {
  for (const [path, text] of Object.entries(await clientFiles())) {
    expect(await Bun.file(path).text(), path).toBe(text)
  }
})

test("a recipe is named without a cast", async () => {
  const { status } = await trawl
    .start(recipe("no-such-recipe"), { urls: [page("rope")] })
    .catch((error: TrawlError) => error)
  expect(status).toBe(404)
})

/** As a user gets it: packed, unpacked below node_modules, run by the Node.js that is installed. */
test("the packed package runs on Node.js, and TypeScript compiles against it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trawl-client-"))
  const run = async (words: string[], cwd = folder) => {
    const child = Bun.spawn(words, { cwd, stdout: "pipe", stderr: "pipe" })
    const [out, log] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    expect([await child.exited, words.join(" ")], log + out).toEqual([0, words.join(" ")])
    return out
  }
  const root = join(import.meta.dir, "../../..")
  try {
    await run(["npm", "pack", "--pack-destination", folder], join(root, "packages/client"))
    const own = join(folder, "node_modules/trawl-client")
    await run(["mkdir", "-p", own])
    await run(["tar", "xzf", "trawl-client-0.9.0.tgz", "-C", own, "--strip-components=1"])
    const { key } = await here.app.account()
    writeFileSync(
      join(folder, "index.ts"),
      `import { Trawl, TrawlError } from "trawl-client"
const trawl = new Trawl({ baseUrl: ${JSON.stringify(here.root)}, apiKey: ${JSON.stringify(key)} })
const { items } = await trawl.run("url-to-markdown-scraper", { urls: ["${page("rope")}"] })
const title: string | null | undefined = items[0]?.title
const refusal: unknown = await trawl.wait("run_none").catch((error: unknown) => error)
console.log(title, refusal instanceof TrawlError && refusal.status)
// @ts-expect-error there is no such scraper
void (() => trawl.run("poem-scraper", {}))
`,
    )
    const compile = join(root, "node_modules/typescript5/bin/tsc")
    const strict = "--strict --target es2022 --module nodenext --lib es2022,dom".split(" ")
    writeFileSync(join(folder, "package.json"), '{"type":"module"}')
    await run(["node", compile, ...strict, "index.ts"])
    expect(await run(["node", "index.js"])).toBe("Rope 404\n")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}, 120_000)
