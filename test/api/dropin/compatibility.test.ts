import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { catalogue } from "../../../src/catalogue/index.ts"
import { TestApp } from "../app.ts"

/** docs/compatibility.md says of each call what it is; the routes say whether it does. */
let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open({ rateLimit: 0 })
  ;({ key } = await app.account())
})
afterAll(() => app.close())

interface Row {
  method: string
  path: string
  standing: string
}

async function rows(): Promise<Row[]> {
  const page = await Bun.file(join(import.meta.dir, "../../../docs/compatibility.md")).text()
  const told = page.matchAll(/^\| `([A-Z]+) (\/[^`]*)` \| (works|partly|not) \|/gm)
  return [...told].flatMap(([, method, path, standing]) =>
    expanded(path!).map((one) => ({ method: method!, path: one, standing: standing! })),
  )
}

/** `/{v1,v2}/map` is two paths. */
function expanded(path: string): string[] {
  const [whole, choices] = /\{([^}]*)\}/.exec(path) ?? []
  if (whole === undefined) return [path]
  return choices!.split(",").flatMap((one) => expanded(path.replace(whole, one)))
}

test("has every route of other services, and no other", async () => {
  const told = (await rows()).filter(({ path }) => !path.startsWith("/https:"))
  const routes = app.app.routes.filter(
    ({ method, path }) => method !== "OPTIONS" && /^\/(?:[rs]\/\*|v[12]\/.*[^*]$)/.test(path),
  )
  expect(told.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
    routes.map(({ method, path }) => `${method} ${path}`).sort(),
  )
})

test("what is said not to be there refuses with a sentence, at any depth", async () => {
  const missing = (await rows()).filter(({ standing }) => standing === "not")
  expect(missing.length).toBeGreaterThan(10)
  for (const { method: told, path } of missing) {
    const calls =
      told === "ALL"
        ? ([
            ["GET", path],
            ["POST", path],
            ["GET", `${path}/some-id`],
          ] as const)
        : ([[told, path]] as const)
    for (const [method, place] of calls) {
      const { status, body } = await app.call(method, place, {
        key,
        body: method === "POST" || method === "PUT" ? {} : undefined,
      })
      const { error } = body
      expect(`${place} ${status} ${error.message ?? error}`).toMatch(/ 400 .*not offered here\./)
    }
  }
})

test("what is to be written in place of others' inputs are inputs of ours", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../docs/guide/actors.md")).text()
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
