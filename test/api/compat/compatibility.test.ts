import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { catalogue } from "../../../src/catalogue/index.ts"
import { TestApp } from "../app.ts"
import { observe } from "./observe.ts"
import { pagePath, rowsOf, withStandings } from "./standings.ts"

/**
 * docs/guide/use/compatibility.md lists the status of each call; the tests compare it with the
 * routes.
 */
let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ rateLimit: 0 })
})
afterAll(() => app.close())

test("has every route of the other services, and no other", async () => {
  const reported = rowsOf(await Bun.file(pagePath).text()).filter(
    ({ path }) => !path.startsWith("/https:"),
  )
  const routes = app.app.routes.filter(
    ({ method, path }) =>
      (method === "POST" && path === "/") ||
      (method !== "OPTIONS" && /^\/(?:[rs]\/\*|v[12]\/.*[^*]$)/.test(path)),
  )
  expect(reported.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    routes.map(({ method, path }) => `${method} ${path}`).sort(),
  )
})

// `bun run verify` compares the page with the calls of its own tests instead.
const isObserved = process.env.COMPATIBILITY_CALLS !== undefined
const testAlone = isObserved ? () => {} : test

testAlone(
  "the state of each row is as tested (bun scripts/list-compatibility.ts)",
  async () => {
    const page = await Bun.file(pagePath).text()
    expect(page).not.toContain("| untested |")
    expect(page.split("\n")).toEqual(withStandings(page, await observe()).split("\n"))
  },
  300_000,
)

test("replacements of others' inputs are inputs of Trawl", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../docs/guide/use/actors.md")).text()
  const inputsOf = (slug: string) =>
    Object.keys(catalogue.find((scraper) => scraper.slug === slug)?.input.properties ?? {})
  const sections = page.split("\n## ").slice(1, -1)
  const wrong: string[] = []
  let last: string[] = []
  for (const section of sections) {
    const slugsIn = (text: string) =>
      [...text.matchAll(/`trawl\/([\w-]+)`/g)].map(([, slug]) => slug!)
    const [head, ...lines] = section.split("\n")
    for (const line of lines) {
      const here = /^\| .* \| (.*) \|$/.exec(line)?.[1]
      if (!here || here === "here") continue
      const own = slugsIn(here)
      const slugs = own.length > 0 ? [...own, ...slugsIn(head!)] : [...slugsIn(head!), ...last]
      if (own.length > 0) last = own
      const known = slugs.flatMap(inputsOf)
      for (const slug of own) if (inputsOf(slug).length === 0) wrong.push(slug)
      for (const [, name] of here.matchAll(/`([a-z]\w*)(?:: [^`]*)?`/gi)) {
        if (name !== "maxItems" && !known.includes(name!)) wrong.push(`${name} (${head})`)
      }
    }
  }
  expect(sections).toHaveLength(10)
  expect(wrong).toEqual([])
})
