import { afterAll, expect, test } from "bun:test"
import { systemClock } from "../../../src/base/clock.ts"
import type { Context, FetchMethod, PageOptions } from "../../../src/catalogue/kit/index.ts"
import { withScripts } from "../../../src/catalogue/web/page/open.ts"
import type { Browser } from "../../../src/engine/fetch/environment.ts"
import { lean, site, testBrowser } from "../net/browser/setup.ts"
import { scraped, worldOf } from "./world.ts"

const html = (body: string, init: ResponseInit = {}) =>
  new Response(`<!doctype html><html><head><title>Page</title></head><body>${body}</body></html>`, {
    ...init,
    headers: { "content-type": "text/html", ...(init.headers as Record<string, string>) },
  })
const content = `<main><h1>The thing</h1><p>${"It is described at length. ".repeat(30)}</p></main>`

const challenge = (afterMs: number) => (request: Request) => {
  if (request.headers.get("cookie")?.includes("cleared=1")) return html(content)
  return new Response(
    `<!doctype html><title>Just a moment...</title><body><p>Checking</p><script>
      setTimeout(() => { document.cookie = "cleared=1; path=" + location.pathname; location.reload() }, ${afterMs})</script>`,
    { status: 403, headers: { "content-type": "text/html", "cf-mitigated": "challenge" } },
  )
}
const shell = (script: string) => () => html(`<div id="root"></div><script>${script}</script>`)
const fill = `document.getElementById("root").innerHTML = ${JSON.stringify(content)}`

const around = `<header><a href="/">App</a></header><div id="content"></div><footer>About</footer>
  <script>setTimeout(() => { document.getElementById("content").innerHTML = ${JSON.stringify(content)} }, 1500)</script>`

const server = site({
  "/around": () => html(around),
  "/whole": () => html(content),
  "/challenge": challenge(1500),
  "/selector": challenge(1500),
  "/bare": challenge(1500),
  "/failing": challenge(1500),
  "/accepted": challenge(1500),
  "/timer": shell(`setTimeout(() => { ${fill} }, 1500)`),
  "/busy": shell(
    `setTimeout(() => { const end = Date.now() + 900; while (Date.now() < end); ${fill} }, 700)`,
  ),
  "/steps": shell(`setTimeout(async () => {
    document.getElementById("root").innerHTML = "<p>Loading</p>"
    await fetch("/whole"); setTimeout(() => { ${fill} }, 900) }, 700)`),
  "/partly": () =>
    html(`<nav>Home</nav>${"<p>Words of the page.</p>".repeat(40)}<script>
    setTimeout(() => document.body.insertAdjacentHTML("beforeend", "<p class=late>late</p>"), 1500)</script>`),
  "/never": () => html(`${content}<script>var app = 1</script>`),
  "/still": () => html(content),
})
const root = `http://127.0.0.1:${server.port}`
const chrome = testBrowser(() => [server.port!], lean)
afterAll(async () => {
  await chrome.stop()
  server.stop(true)
})

/** Counts how often a page was read again. */
let reads = 0
const browser: Browser = {
  lease: (requested, steps) =>
    chrome.browser.lease(requested, (tab) => {
      const next = (timeoutMs: number) => {
        reads++
        return tab.next(timeoutMs)
      }
      return steps({ ...tab, next })
    }),
}

async function visited(path: string, options: PageOptions, pageWaitMs = 12_000) {
  const world = worldOf(() => ({ html: "" }), {
    clock: systemClock,
    browser,
    pageWaitMs,
  })
  const texts: string[] = []
  const { via, errors } = await scraped(
    world,
    async function* (_: string, ctx: Context) {
      const response = await ctx.page(`${root}${path}`, options)
      texts.push(response.document.body.textContent ?? "")
      yield { via: response.via }
    },
    { fetchMethods: ["browser"] as FetchMethod[] },
  )
  const code = errors[0]?.code ?? (via[0] as string)
  return { code, text: texts[0] ?? "" }
}

const stated = (response: { status: number; document: Document }) =>
  response.status >= 400 || response.document.querySelector("main") !== null
const thing = (response: { document: Document }) => response.document.querySelector("main") !== null

test.each([
  ["a challenge that clears, and a test of what is wanted", "/challenge", { has: thing }],
  ["a challenge that clears, and a selector", "/selector", { has: "main" }],
  ["a challenge that clears, and nothing that is wanted", "/bare", {}],
  ["a challenge that a test accepts as content", "/failing", { has: stated }],
  ["a challenge whose status is accepted", "/accepted", { has: stated, accept: [403] }],
  ["a shell that fills after a timer", "/timer", { has: thing }],
  ["a shell that fills after work", "/busy", { has: thing }],
  ["a shell that fills in two steps", "/steps", { has: thing }],
] as [string, string, PageOptions][])("waits out %s", async (_, path, options) => {
  const { code, text } = await visited(path, options)
  expect([code, text.includes("It is described at length.")]).toEqual(["browser", true])
})

test("waits for the content that a test requires of an ordinary page", async () => {
  const has = (response: { document: Document }) =>
    response.document.querySelector(".late") !== null
  expect((await visited("/partly", { has })).text).toContain("late")
})

test("stops waiting for a selector if no script could add it", async () => {
  const first = await Promise.race([
    visited("/never", { has: ".none" }).then(() => "with scripts"),
    visited("/still", { has: ".none" }).then(() => "without"),
  ])
  expect(first).toBe("without")
})

test("reads a complete page once, and an incomplete one until the limit", async () => {
  reads = 0
  expect((await visited("/whole", { has: thing })).code).toBe("browser")
  expect(reads).toBe(0)
  await visited("/never", { has: () => false }, 1000)
  expect(reads).toBeGreaterThan(1)
  expect(reads).toBeLessThan(6)
})

test("waits no longer than the limit of a page", async () => {
  const start = performance.now()
  await visited("/never", { has: () => false, pageWaitMs: 300 })
  expect(performance.now() - start).toBeLessThan(9000)
})

test("a page with its site's header and footer is read when its scripts have filled it", async () => {
  const world = worldOf(() => ({ html: around }), {
    clock: systemClock,
    browser,
    pageWaitMs: 12_000,
  })
  const texts: string[] = []
  await scraped(
    world,
    async function* (_: string, ctx: Context) {
      const first = await ctx.page(`${root}/around`, { has: "header" })
      const response = await withScripts(first, ctx, { has: "header" })
      texts.push(response.document.body.textContent ?? "")
      yield { via: response.via }
    },
    { fetchMethods: ["http", "browser"] },
  )
  expect(texts.join()).toContain("It is described at length.")
})
