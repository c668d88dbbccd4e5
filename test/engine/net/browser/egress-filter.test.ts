import { afterAll, expect, test } from "bun:test"
import { EgressFilter } from "../../../../src/engine/net/egress/filter.ts"
import { leanChrome } from "../../../chrome.ts"
import { isRunningAll } from "../../../samples.ts"
import { Probe } from "../../../trust/forbidden.ts"
import { failureOf, lease, site, testBrowser } from "./setup.ts"

const probe = await Probe.open()
const { port } = probe

const tries = (host: string) => {
  const target = `http://${host}`
  return `<!doctype html>
  <link rel="preconnect" href="${target}"><link rel="dns-prefetch" href="${target}">
  <link rel="prefetch" href="${target}/prefetch"><link rel="stylesheet" href="${target}/style.css">
  <img src="${target}/image.png"><iframe src="${target}/frame"></iframe>
  <video src="${target}/video.mp4"></video><object data="${target}/object"></object>
  <a id="download" href="${target}/file.bin" download>x</a>
  <form id="form" action="${target}/form" method="post" target="inner"></form><iframe name="inner"></iframe>
  <script>
    fetch("${target}/fetch", { mode: "no-cors" }).catch(() => {})
    navigator.sendBeacon("${target}/beacon", "x")
    try { new WebSocket("ws://${host}/socket") } catch {}
    try { new EventSource("${target}/events") } catch {}
    navigator.serviceWorker?.register("/worker.js?target=${encodeURIComponent(host)}").catch(() => {})
    try { new Worker(URL.createObjectURL(new Blob(["fetch('${target}/worker',{mode:'no-cors'})"]))) } catch {}
    document.getElementById("download").click()
    document.getElementById("form").submit()
    window.open("${target}/window")
    document.body.dataset.done = "yes"
  </script>${probe.webRtc}`
}

/** The address that a page of the site tries to reach. */
const targetOf = ({ url }: Request) => new URL(url).searchParams.get("target")
/** The addresses whose page was opened: otherwise, nothing would be tested. */
const served = new Set<string>()
const server = site({
  "/page": (request) => {
    const target = targetOf(request)!
    served.add(target)
    return new Response(tries(target), { headers: { "content-type": "text/html" } })
  },
  "/redirect": (request) =>
    new Response(null, {
      status: 302,
      headers: { location: `http://${targetOf(request)}/redirected` },
    }),
  "/script-redirect": (request) =>
    new Response(`<script>location.href = "http://${targetOf(request)}/script"</script>`, {
      headers: { "content-type": "text/html" },
    }),
  "/meta-redirect": (request) =>
    new Response(`<meta http-equiv="refresh" content="0;url=http://${targetOf(request)}/meta">`, {
      headers: { "content-type": "text/html" },
    }),
  "/worker.js": (request) =>
    new Response(
      `self.addEventListener("install", () => fetch("http://${targetOf(request)}/service", { mode: "no-cors" }))`,
      {
        headers: { "content-type": "text/javascript" },
      },
    ),
})
const root = `http://127.0.0.1:${server.port}`

/** Names are public at the first look-up, and loopback at later ones. */
const lookedUp = new Map<string, number>()
const filter = new EgressFilter([`127.0.0.1:${server.port}`], async (name) => {
  const times = (lookedUp.get(name) ?? 0) + 1
  lookedUp.set(name, times)
  return times === 1 && name === "rebind.test" ? ["192.0.2.1"] : ["127.0.0.1"]
})
let requested = 0
const open = (path: string | undefined) =>
  testBrowser(() => [], {
    ...(path && { chrome: path }),
    resolve(name, wanted) {
      if (wanted !== server.port) requested++
      return filter.resolve(name, wanted)
    },
  })
/** The headless shell, and in `verify --all` Chrome too, which has the same filter. */
const chromes = new Map([
  ["the headless shell", open(leanChrome())],
  ...(isRunningAll ? [["Chrome", open(process.env.TRAWL_CHROME)] as const] : []),
])
afterAll(async () => {
  for (const chrome of chromes.values()) await chrome.stop()
  server.stop(true)
  probe.close()
})

test.each([...chromes])(
  "no page reaches a private IP address in any way: %s",
  async (_, chrome) => {
    served.clear()
    lookedUp.clear()
    requested = 0
    const hosts = ["127.0.0.1", "localhost", "rebind.test", "[::1]", "0.0.0.0"]
    await Promise.all(
      hosts.map(async (host) => {
        const target = `${host}:${port}`
        const redirects =
          host === "127.0.0.1" ? ["/redirect", "/script-redirect", "/meta-redirect"] : []
        await chrome.browser.lease(lease({ deadlineMs: 60_000 }), async (tab) => {
          const open = (url: string) =>
            tab
              .goto(url, { block: [], timeoutMs: 4000, waitFor: "[data-webrtc]" })
              .catch((error) => error)
          for (const path of ["/page", ...redirects]) {
            await open(`${root}${path}?target=${encodeURIComponent(target)}`)
          }
          await open(`http://${target}/direct`)
        })
      }),
    )
    expect([...served].sort()).toEqual(hosts.map((host) => `${host}:${port}`).sort())
    expect(requested).toBeGreaterThan(0)
    expect(probe.reached).toBe(0)
  },
  120_000,
)

test("a refused page is reported as refused", async () => {
  const opened = chromes
    .get("the headless shell")!
    .browser.lease(lease(), (tab) => tab.goto(`http://127.0.0.1:${port}/direct`))
  expect(await failureOf(opened)).toMatchObject({ code: "egress_denied" })
})
