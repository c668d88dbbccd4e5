import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { parseHTML } from "linkedom"
import { guidePages } from "../../../src/api/docs/guide.ts"
import { settingRows } from "../../../src/config.ts"
import { TestApp } from "../app.ts"

const root = join(import.meta.dir, "../../..")
const files = [...new Bun.Glob("*.md").scanSync(join(root, "docs/guide"))].sort()
let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ baseUrl: "https://example.com/trawl" })
})
afterAll(() => app.close())

const pageOf = async (path: string) => {
  const response = await app.get(path)
  return { ...response, document: parseHTML(response.text).document }
}

test("every file of the guide is a page, and is reached from its first", async () => {
  expect(
    Object.keys(guidePages)
      .map((name) => `${name}.md`)
      .sort(),
  ).toEqual(files)
  const { document, status } = await pageOf("/docs/guide")
  expect(status).toBe(200)
  const linked = [...document.querySelectorAll("main a")].map((a) => a.getAttribute("href"))
  for (const name of Object.keys(guidePages)) {
    if (name !== "index") expect(linked).toContain(`/trawl/docs/guide/${name}`)
  }
  const home = await app.get("/", { headers: { accept: "text/html" } })
  expect(home.text).toContain('href="/trawl/docs/guide"')
})

test("what is no page is told so", async () => {
  const { status, body } = await app.get("/docs/guide/constructor")
  expect([status, body.error.message]).toEqual([404, "The guide has no such page."])
})

describe.each(files)("%s", (file) => {
  const name = file.slice(0, -3)
  const path = name === "index" ? "/docs/guide" : `/docs/guide/${name}`

  test("has no dead link", async () => {
    const { document } = await pageOf(path)
    expect(document.querySelectorAll("h1")).toHaveLength(1)
    const dead: string[] = []
    for (const link of document.querySelectorAll("a")) {
      const href = link.getAttribute("href")!
      // Of others: nothing is asked of the network here.
      if (/^https:\/\//.test(href)) continue
      const [to, place] = href.split("#")
      const found = await pageOf(to!.replace(/^\/trawl/, "") || path)
      if (found.status !== 200 || (place && !found.document.getElementById(place))) dead.push(href)
    }
    expect(dead).toEqual([])
  })

  test("names settings, files and verbs that there are", async () => {
    const text = guidePages[name]!
    const known = new Set(settingRows().map(({ env }) => env))
    // Of install.sh.
    for (const own of ["TRAWL_FROM", "TRAWL_VERSION"]) known.add(own)
    const settings = text.match(/\bTRAWL_[A-Z_]+\b/g) ?? []
    expect(settings.filter((one) => !known.has(one))).toEqual([])
    const paths = [...text.matchAll(/`((?:deploy|docs)\/[\w./-]+)`/g)].map(([, one]) => one!)
    expect(paths.filter((one) => !existsSync(join(root, one)))).toEqual([])
    const commands = [...text.matchAll(/^(?:.*`)?trawl ([a-z-]+)/gm)].map(([, command]) => command!)
    const main = await Bun.file(join(root, "src/cli/main.ts")).text()
    const isCommand = (command: string) =>
      main.includes(`\n  ${command}: async`) || main.includes(`\n  "${command}": async`)
    expect(commands.filter((command) => !isCommand(command))).toEqual([])
  })
})
