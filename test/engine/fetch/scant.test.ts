import { expect, test } from "bun:test"
import type { Context } from "../../../src/catalogue/kit/index.ts"
import { withScripts } from "../../../src/catalogue/web/page/open.ts"
import { page } from "../net/http/challenge-pages.ts"
import { site } from "./good-pages.ts"
import { scraped, worldOf } from "./world.ts"

const frame = (body: string, script = '<script src="/app.js"></script>') =>
  page(
    "App",
    `<header><a href="/">Home</a></header><h1>App</h1><div id="content">${body}</div><footer>About us</footer>${script}`,
  )
const whole = frame(`<p>${"What the page is about, in words. ".repeat(20)}</p>`)
const read = (texts: string[]) =>
  async function* (_: string, ctx: Context) {
    const first = await ctx.page(`${site}/app`, { has: "h1" })
    const response = await withScripts(first, ctx, { has: "h1" })
    texts.push(response.text())
    yield { via: response.via }
  }

test.each([
  ["whose scripts bring the rest is read by Chrome", frame(""), "browser", whole],
  ["without scripts is read as it is", frame("", ""), "http", frame("", "")],
  ["with its text is read as it is", whole, "http", whole],
])("a page %s", async (_, plain, via, expected) => {
  const texts: string[] = []
  const world = worldOf((_url, fetchMethod) => ({
    html: fetchMethod === "browser" ? whole : plain,
  }))
  expect((await scraped(world, read(texts))).via).toEqual([via as "http"])
  expect(texts).toEqual([expected])
})

test("if Chrome fails, the page is that of plain HTTP", async () => {
  const texts: string[] = []
  const world = worldOf((_url, fetchMethod) => ({
    html: frame(""),
    status: fetchMethod === "http" ? 200 : 500,
  }))
  expect((await scraped(world, read(texts))).via).toEqual(["http"])
})
