import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { parseHTML } from "linkedom"
import { guidePages, parts } from "../../../src/api/docs/guide-pages.ts"
import { settingRows } from "../../../src/config/config.ts"
import { TestApp } from "../app.ts"

const root = join(import.meta.dir, "../../..")
const files = [...new Bun.Glob("**/*.md").scanSync(join(root, "docs/guide"))].sort()
let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ baseUrl: "https://example.com/trawl" })
})
afterAll(() => {
  pages.clear()
  return app.close()
})

const read = async (path: string) => {
  const response = await app.get(path)
  return { ...response, document: parseHTML(response.text).document }
}
/** The pages that were read, because many others link to each. */
const pages = new Map<string, ReturnType<typeof read>>()
function pageOf(path: string): ReturnType<typeof read> {
  const page = pages.get(path) ?? read(path)
  pages.set(path, page)
  return page
}

test("every file of the guide is a page that the sidebar or the list of scrapers links to", async () => {
  expect(
    Object.keys(guidePages)
      .map((name) => `${name}.md`)
      .sort(),
  ).toEqual(files.map((file) => basename(file)).sort())
  const { document, status } = await pageOf("/docs/guide")
  expect(status).toBe(200)
  const scrapers = await pageOf("/docs/guide/scrapers")
  const linked = [
    ...document.querySelectorAll("nav.pages a"),
    ...scrapers.document.querySelectorAll("main a"),
  ].map((a) => a.getAttribute("href")!.replace(/#.*/, ""))
  for (const name of Object.keys(guidePages)) {
    if (name !== "index") expect(linked).toContain(`/trawl/docs/guide/${name}`)
  }
  const home = await app.get("/", { headers: { accept: "text/html" } })
  expect(home.text).toContain('href="/trawl/docs/guide"')
})

test("the pages of a part of the sidebar are in the folder of that name", async () => {
  for (const { title, pages } of parts) {
    for (const [name, text] of Object.entries(pages)) {
      const file = Bun.file(join(root, "docs/guide", title.toLowerCase(), `${name}.md`))
      expect(await file.text(), name).toBe(text)
    }
  }
})

test("the images of a page are served", async () => {
  const { text } = await app.get("/docs/guide/spreadsheet")
  const sources = [...text.matchAll(/ src="\/trawl(\/docs\/guide\/pictures\/[^"]+)"/g)].map(
    ([, source]) => source!,
  )
  expect(sources).toHaveLength(3)
  for (const source of sources) {
    const { status, headers } = await app.get(source)
    expect([source, status, headers.get("content-type")]).toEqual([source, 200, "image/webp"])
  }
  expect((await app.get("/docs/guide/pictures/none.webp")).status).toBe(404)
})

test("an unknown page is named in the message", async () => {
  const { status, body } = await app.get("/docs/guide/constructor")
  expect(status).toBe(404)
  expect(body.error.message).toContain('"constructor"')
})

test("a page lists its headings, and marks itself in the sidebar", async () => {
  const { document } = await pageOf("/docs/guide/backup")
  const headings = [...document.querySelectorAll("h2")].map((h2) => `#${h2.id}`)
  const contents = [...document.querySelectorAll("nav.contents a")].map((a) =>
    a.getAttribute("href"),
  )
  expect(contents.length).toBeGreaterThan(2)
  expect(contents).toEqual(headings)
  const current = document.querySelector('nav.pages a[aria-current="page"]')
  expect(current?.getAttribute("href")).toBe("/trawl/docs/guide/backup")
})

test("the search finds sections by all words, and escapes the query", async () => {
  const search = (q: string) => pageOf(`/docs/guide?q=${encodeURIComponent(q)}`)
  const links = async (q: string) =>
    [...(await search(q)).document.querySelectorAll("main li a")].map((a) => a.getAttribute("href"))
  expect(await links("selector_not_found")).toContain("/trawl/docs/guide/errors")
  expect((await links("Restore backup"))[0]).toBe("/trawl/docs/guide/backup#restore")
  expect(await links("backup zzzzz")).toEqual([])
  const { text } = await search("<script>alert(1)</script>")
  expect(text).not.toContain("<script>alert")
  expect((await search("a".repeat(201))).status).toBe(400)
})

test("the generated pages match the code", () => {
  const script = join(root, "scripts/list-reference.ts")
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, script, "--check"])
  expect(stderr.toString()).toBe("")
  expect(exitCode).toBe(0)
})

describe.each(files)("%s", (file) => {
  const name = basename(file, ".md")
  const path = name === "index" ? "/docs/guide" : `/docs/guide/${name}`

  test("has no dead link", async () => {
    const { document } = await pageOf(path)
    expect(document.querySelectorAll("h1")).toHaveLength(1)
    const dead: string[] = []
    for (const link of document.querySelectorAll("a")) {
      const href = link.getAttribute("href")!
      // External links are not tested: these tests use no network.
      if (/^https:\/\//.test(href)) continue
      const [to, place] = href.split("#")
      const found = await pageOf(to!.replace(/^\/trawl/, "") || path)
      if (found.status !== 200 || (place && !found.document.getElementById(place))) dead.push(href)
    }
    expect(dead).toEqual([])
  })

  test("names only existing settings, files and commands", async () => {
    const text = guidePages[name]!
    const known = new Set(settingRows().map(({ env }) => env))
    // Variables of install.sh and of clients.
    for (const own of ["TRAWL_FROM", "TRAWL_VERSION", "TRAWL_API_KEY"]) known.add(own)
    const settings = text.match(/\bTRAWL_[A-Z_]+\b/g) ?? []
    expect(settings.filter((one) => !known.has(one))).toEqual([])
    const paths = [...text.matchAll(/`((?:deploy|docs)\/[\w./-]+)`/g)].map(([, one]) => one!)
    expect(paths.filter((one) => !existsSync(join(root, one)))).toEqual([])
    const commands = [...text.matchAll(/^(?:.*`)?trawl (?!https)([a-z-]+)/gm)].map(
      ([, command]) => command!,
    )
    const main = await Bun.file(join(root, "src/cli/main.ts")).text()
    const isCommand = (command: string) =>
      main.includes(`\n  ${command}: async`) || main.includes(`\n  "${command}": async`)
    expect(commands.filter((command) => !isCommand(command))).toEqual([])
  })
})
