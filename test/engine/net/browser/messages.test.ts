import { afterAll, expect, test } from "bun:test"
import { Connection } from "puppeteer-core/internal/cdp/Connection.js"
import { lean, lease, site, testBrowser } from "./setup.ts"

const late =
  "<script>setTimeout(() => document.body.append(document.createElement('h2')), 300)</script>"
const gate = Promise.withResolvers<void>()
const server = site({
  "/plain": "<h1>plain</h1>",
  "/late": `<h1>late</h1>${late}`,
  "/held": `<h1>held</h1><script>fetch("/gate").then(() => document.body.append(document.createElement("h2")))</script>`,
  "/gate": async () => {
    await gate.promise
    return new Response("")
  },
  "/slow-start": `<script>setTimeout(() => { location.href = "/slow" }, 200)</script>`,
  "/slow": () => new Response(inParts(), { headers: { "content-type": "text/html" } }),
  "/moves": `<script>setTimeout(() => { location.href = "/late" }, 200)</script>`,
})
/** A document that arrives in two parts. */
const inParts = () =>
  new ReadableStream({
    async start(stream) {
      stream.enqueue("<!doctype html><h1>start</h1>")
      await Bun.sleep(700)
      stream.enqueue("<h6>end</h6>")
      stream.close()
    },
  })
const root = `http://127.0.0.1:${server.port}`
const { browser, stop } = testBrowser(() => [server.port!], { ...lean, tabs: 1 })

const sent: string[] = []
const prototype = Connection.prototype as unknown as { _rawSend(...args: unknown[]): unknown }
const { _rawSend: send } = prototype
prototype._rawSend = function (...args) {
  // The memory of all pages is watched in the background.
  if (args[1] !== "SystemInfo.getProcessInfo") sent.push(String(args[1]))
  return send.apply(this, args)
}
afterAll(async () => {
  prototype._rawSend = send
  await stop()
  server.stop(true)
})

/** One run, whose leases use the same tab. */
const run = lease()
const open = (path: string, options: object) =>
  browser.lease(run, (tab) => tab.goto(root + path, options))

test("a page in an open tab costs six protocol commands", async () => {
  await open("/plain", { waitFor: "h1" })
  sent.length = 0
  const page = await open("/plain", { waitFor: "h1" })
  expect(page.text()).toBe("<html><head></head><body><h1>plain</h1></body></html>")
  expect(sent).toEqual([
    "Page.navigate",
    "Fetch.continueRequest",
    "Page.createIsolatedWorld",
    // The selector, and then the page's source.
    ...["Runtime.evaluate", "Runtime.evaluate"],
    "Storage.getCookies",
  ])
})

test("a selector is awaited across navigations, and not for longer than its page can change", async () => {
  expect((await open("/moves", { waitFor: "h2" })).url).toBe(`${root}/late`)
  const started = performance.now()
  expect((await open("/plain", { waitFor: "h2" })).text()).toContain("plain")
  expect((await open("/plain", { waitFor: "h2:::" })).text()).toContain("plain")
  expect(performance.now() - started).toBeLessThan(8_000)
})

test("a document that arrives after a navigation is read to its end", async () => {
  const page = await open("/slow-start", { waitFor: "h1" })
  expect([page.url, page.text().includes("<h6>end</h6>")]).toEqual([`${root}/slow`, true])
})

test("Puppeteer's own selectors and blocked types apply to the lease that names them", async () => {
  expect(
    (await open("/held", { waitFor: "::-p-text(held)", block: ["script"] })).text(),
  ).not.toContain("<h2>")
  gate.resolve()
  expect((await open("/held", { waitFor: "h2" })).text()).toContain("<h2>")
})
