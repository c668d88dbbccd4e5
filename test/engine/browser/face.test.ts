import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { PoolSettings } from "../../../src/engine/browser/pool/settings.ts"
import { fullChrome } from "../../chrome.ts"
import { lease, site, testBrowser } from "./setup.ts"

/** The agents that each request for a worker's script carried. */
const agents: Record<string, string> = {}
const script = (path: string, body: string) => (request: Request) => {
  agents[path] = request.headers.get("user-agent") ?? ""
  return new Response(body, { headers: { "content-type": "text/javascript" } })
}
const says = "navigator.userAgent"
const server = site({
  "/shared.js": script("shared", `onconnect = (event) => event.ports[0].postMessage(${says})`),
  "/worker.js": script("worker", `postMessage(${says})`),
  "/service.js": script("service", `onmessage = (event) => event.source.postMessage(${says})`),
  "/face": `<!doctype html><title>Face</title><button id="onetrust-reject-all-handler">No</button><div id="out"></div><script>
    const stacks = []
    for (const [object, name] of [[Document.prototype, "querySelector"], [Document.prototype, "querySelectorAll"], [Element.prototype, "getBoundingClientRect"]]) {
      const own = object[name]
      object[name] = function (...args) { stacks.push(new Error().stack); return own.apply(this, args) }
    }
    document.getElementById("onetrust-reject-all-handler").onclick = () => { stacks.push(new Error().stack); show() }
    let prepared = 0
    Error.prepareStackTrace = () => { prepared++; return "" }
    console.debug(new Error("look"))
    Error.prepareStackTrace = undefined
    const worker = new Worker("/worker.js")
    const shared = new SharedWorker("/shared.js")
    const said = Promise.all([
      new Promise((resolve) => { worker.onmessage = (event) => resolve(event.data) }),
      new Promise((resolve) => { shared.port.onmessage = (event) => resolve(event.data) }),
      navigator.serviceWorker.register("/service.js").then(() => navigator.serviceWorker.ready).then(({ active }) => new Promise((resolve) => {
        navigator.serviceWorker.onmessage = (event) => resolve(event.data)
        active.postMessage("")
      })),
    ])
    async function show() {
      const face = { agents: [${says}, ...await said], stacks, prepared, webdriver: navigator.webdriver,
        fine: matchMedia("(pointer: fine)").matches, hover: matchMedia("(hover: hover)").matches,
        globals: Object.keys(window).filter((name) => /pptr|puppeteer|cdc_|__/i.test(name)) }
      document.getElementById("out").textContent = JSON.stringify(face)
      document.body.id = "told"
    }</script>`,
})

interface Face {
  agents: string[]
  stacks: string[]
  prepared: number
  webdriver: boolean
  fine: boolean
  hover: boolean
  globals: string[]
}

async function faceOf(settings: Partial<PoolSettings>): Promise<Face> {
  const chrome = testBrowser(() => [server.port!], settings)
  try {
    const answer = await chrome.browser.lease(lease(), async (tab) => {
      await tab.goto(`http://127.0.0.1:${server.port}/face`)
      await tab.waitFor("#told")
      return tab.read()
    })
    return JSON.parse(answer.document.querySelector("#out")!.textContent!)
  } finally {
    await chrome.stop()
  }
}
afterAll(() => server.stop(true))

const path = fullChrome()
describe.if(path !== undefined)("what pages see of Chrome", () => {
  let face: Face
  beforeAll(async () => {
    face = await faceOf({ chrome: path! })
  }, 60_000)

  test("one agent in pages, in all kinds of workers, and in the requests for their scripts", () => {
    const all = new Set([...face.agents, ...Object.values(agents)])
    expect([face.agents.length, Object.keys(agents).length, all.size]).toEqual([4, 3, 1])
    expect([...all][0]).toMatch(/ Chrome\/\d+\./)
  })

  test("a mouse and a pointer, as on a desktop", () => {
    expect([face.fine, face.hover]).toEqual([true, true])
  })

  test("nothing of who works on them: neither in their functions nor in what they log", () => {
    expect(face.stacks.join("\n")).not.toMatch(/pptr|puppeteer|evaluate/i)
    // The click is seen, by whomever; the looks for buttons are not.
    expect(face.stacks).toHaveLength(1)
    expect([face.prepared, face.globals]).toEqual([0, []])
  })

  test("that it is a program, unless the operator hides it", async () => {
    expect(face.webdriver).toBe(true)
    expect((await faceOf({ chrome: path!, hidesWebdriver: true })).webdriver).toBe(false)
  }, 60_000)

  test("the same agent where it has a window", async () => {
    // Drawn nowhere, so that no display is needed.
    const chromeArgs = ["--ozone-platform=headless"]
    const headed = await faceOf({ chrome: path!, isHeaded: true, chromeArgs })
    expect(headed.agents).toEqual(face.agents)
  }, 60_000)
})
