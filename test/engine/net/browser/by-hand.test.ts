import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test"
import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CookieJar } from "tough-cookie"
import { systemClock } from "../../../../src/base/clock.ts"
import { EgressDenied } from "../../../../src/catalogue/kit/index.ts"
import { removeFolder } from "../../../../src/engine/net/browser/chrome/chrome-folder.ts"
import { ChromeNetTransport } from "../../../../src/engine/net/browser/net/net-transport.ts"
import type { PoolSettings } from "../../../../src/engine/net/browser/pool/settings.ts"
import { isRoot } from "../../../../src/engine/net/browser/supply/find.ts"
import { HttpClient } from "../../../../src/engine/net/http/client.ts"
import { openssl } from "../../../catalogue/certificates/certificates.ts"
import { fullChrome } from "../../../chrome.ts"
import { testOfAll } from "../../../samples.ts"
import { facePage, type PageFace } from "./face-page.ts"
import { lease, testBrowser } from "./setup.ts"
import { type Hello, type SeenRequest, tlsSite } from "./tls-site.ts"

setDefaultTimeout(120_000)

const js = { "content-type": "text/javascript" }
const agentScripts: Record<string, string> = {
  "/worker.js": "postMessage(navigator.userAgent)",
  "/shared.js": "onconnect = ({ ports: [port] }) => port.postMessage(navigator.userAgent)",
  "/service.js": "onmessage = ({ source }) => source.postMessage(navigator.userAgent)",
}
/**
 * A page that looks for automation in the call stacks of its functions, and in the values that it
 * logs.
 */
const looking = `<!doctype html><title>Looking</title><button id="onetrust-reject-all-handler">No</button><div id="out"></div><script>
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
    function show() {
      const globals = Object.keys(window).filter((name) => /pptr|puppeteer|cdc_|__/i.test(name))
      document.getElementById("out").textContent = JSON.stringify({ stacks, prepared, globals })
      document.body.id = "done"
    }</script>`
let onFace = (_: PageFace) => {}
const site = await tlsSite(["a.test", "b.test"], (request, response) => {
  const { pathname } = new URL(request.url, "https://a.test")
  const script = agentScripts[pathname]
  response.writeHead(200, script ? js : { "content-type": "text/html; charset=utf-8" })
  if (script) return void response.end(script)
  if (pathname === "/face") return void response.end(facePage(`https://b.test:${site.port}`))
  if (pathname === "/looking") return void response.end(looking)
  if (pathname === "/frame") {
    return void response.end(
      "<script>parent.postMessage([navigator.userAgent, navigator.webdriver], '*')</script>",
    )
  }
  if (pathname === "/report") onFace(JSON.parse(site.requests.at(-1)!.body))
  response.end("<!doctype html><title>Here</title>")
})
const root = `https://a.test:${site.port}`

/** Everything that a site sees of a visitor. */
interface Visit {
  hello: Hello
  requests: SeenRequest[]
  face: PageFace
}

async function visit(open: () => Promise<() => Promise<unknown>>): Promise<Visit> {
  const [firstHello, firstRequest] = [site.hellos.length, site.requests.length]
  const { promise, resolve, reject } = Promise.withResolvers<PageFace>()
  onFace = resolve
  const close = await open()
  const timer = setTimeout(() => reject(new Error("The page sent no report within 60 s.")), 60_000)
  const face = await promise.finally(async () => {
    clearTimeout(timer)
    await close()
  })
  return {
    hello: site.hellos[firstHello]!,
    requests: site.requests.slice(firstRequest),
    face,
  }
}

/** The installed Chromium as a user starts it: with a window (on no display), without a driver. */
async function startByHand() {
  const folder = mkdtempSync(join(tmpdir(), "trawl-by-hand-"))
  const chrome = Bun.spawn({
    cmd: [
      fullChrome()!,
      ...(isRoot() ? ["--no-sandbox"] : []),
      ...["--ozone-platform=headless", "--no-first-run", "--lang=en-US"],
      ...[`--user-data-dir=${folder}`, "--host-resolver-rules=MAP *.test 127.0.0.1"],
      ...site.chromeArgs,
      `${root}/face`,
    ],
    // The folder of its socket is removed with the profile: a killed Chrome removes nothing.
    env: { ...process.env, TMPDIR: folder },
    stdout: "ignore",
    stderr: "ignore",
    detached: true,
  })
  return async () => {
    process.kill(-chrome.pid, "SIGKILL")
    await chrome.exited
    await removeFolder(folder)
  }
}

const settings = {
  ...(fullChrome() ? { chrome: fullChrome()! } : {}),
  chromeArgs: site.chromeArgs,
  async resolve(host: string) {
    if (/^[ab]\.test$/.test(host)) return ["127.0.0.1"]
    throw new EgressDenied(`${host} is a private address.`)
  },
}

const trawlsChrome = (more: Partial<PoolSettings>) =>
  testBrowser(() => [], { ...settings, ...more })

async function openFace({ browser }: ReturnType<typeof testBrowser>): Promise<void> {
  await browser.lease(lease(), async (tab) => {
    await tab.goto(`${root}/face`)
    await tab.waitFor("#reported")
  })
}

async function startTrawl(more: Partial<PoolSettings>) {
  const chrome = trawlsChrome(more)
  await openFace(chrome)
  return chrome.stop
}

afterAll(() => site.close())

const lower = ({ headers }: SeenRequest) =>
  headers.map(([name, value]) => [name.toLowerCase(), value] as const)

describe.if(fullChrome() !== undefined && openssl !== null)(
  "Trawl's Chrome and one started by hand",
  () => {
    let hand: Visit
    let ours: Visit
    let chrome: ReturnType<typeof testBrowser>
    beforeAll(async () => {
      hand = await visit(startByHand)
      chrome = trawlsChrome({ hidesWebdriver: true })
      ours = await visit(async () => {
        await openFace(chrome)
        return async () => {}
      })
    })
    afterAll(() => chrome?.stop())
    const requestOf = ({ requests }: Visit, path: string) =>
      requests.find((request) => request.path === path)!

    test("send the same TLS hello", () => {
      expect(ours.hello).toEqual(hand.hello)
      // ALPS, Encrypted Client Hello, certificate compression.
      expect(ours.hello.extensions).toEqual(expect.arrayContaining([0x44cd, 0xfe0d, 27]))
    })

    test.each(["/face", "/worker.js", "/shared.js", "/service.js", "/frame"])(
      "send the same headers in the same order for %s",
      (path) => {
        expect(lower(requestOf(ours, path))).toEqual(lower(requestOf(hand, path)))
        expect(requestOf(ours, path).version).toBe("2.0")
      },
    )

    test("open HTTP/2 alike: settings, and the order of pseudo headers", () => {
      const [mine, theirs] = [requestOf(ours, "/face"), requestOf(hand, "/face")]
      expect(mine.pseudo).toEqual(theirs.pseudo)
      expect(mine.pseudo).toEqual([":method", ":authority", ":scheme", ":path"])
      expect(mine.settings).toEqual(theirs.settings)
      expect(mine.settings).toMatchObject({ headerTableSize: 65536, initialWindowSize: 6291456 })
    })

    /**
     * Decision 26 explains these: the window's size, and the history of a tab that was empty first.
     * A Chrome started by hand has neither a mouse nor WebGL here, because there is no display.
     */
    const explained = ["screen", "historyLength", "fine", "hover", "anyFine", "anyHover", "webgl"]

    test("look the same to pages, except as decision 26 explains", () => {
      const without = (face: PageFace) =>
        Object.fromEntries(Object.entries(face).filter(([name]) => !explained.includes(name)))
      expect(without(ours.face)).toEqual(without(hand.face))
      expect(Object.keys(without(hand.face)).length).toBeGreaterThan(25)
      const { fine, hover, anyFine, anyHover, webgl, historyLength } = ours.face
      expect([fine, hover, anyFine, anyHover]).toEqual([true, true, true, true])
      expect([webgl !== null, historyLength]).toEqual([true, 2])
    })

    test("have one user agent in pages, frames, and workers of all kinds", () => {
      const agents = new Set(Object.values(ours.face.agents))
      expect([Object.keys(ours.face.agents).length, agents.size]).toEqual([7, 1])
      expect([...agents][0]).toMatch(/ Chrome\/\d+\./)
    })

    test("have a screen that the window fits in", () => {
      const [screenWidth, screenHeight, outerWidth, outerHeight, innerWidth, innerHeight] =
        ours.face.screen
      expect([screenWidth! >= outerWidth!, outerWidth! >= innerWidth!]).toEqual([true, true])
      expect([screenHeight! >= outerHeight!, outerHeight! > innerHeight!]).toEqual([true, true])
    })

    test("send the same requests over Chrome's network stack as for an opened page", async () => {
      const jar = new CookieJar()
      const transport = new ChromeNetTransport(chrome.browser, {
        ...{ jar, unlocker: false, log: () => {} },
      })
      const { signal } = new AbortController()
      const http = new HttpClient({ transport, clock: systemClock, signal, jar })
      const first = site.hellos.length
      await http.request("GET", `${root}/face`, { identity: "browser", retries: 0 })
      const fetched = site.requests.findLast(({ path }) => path === "/face")!
      expect(lower(fetched)).toEqual(lower(requestOf(hand, "/face")))
      expect([fetched.pseudo, fetched.settings]).toEqual([
        requestOf(hand, "/face").pseudo,
        requestOf(hand, "/face").settings,
      ])
      expect(site.hellos[first]!).toEqual(hand.hello)
    })

    test("are not found out by pages that look for automation, except by the click on their banner", async () => {
      const response = await chrome.browser.lease(lease(), async (tab) => {
        await tab.goto(`${root}/looking`)
        await tab.waitFor("#done")
        return tab.read()
      })
      const { stacks, prepared, globals } = JSON.parse(
        response.document.querySelector("#out")!.textContent!,
      )
      expect(stacks.join("\n")).not.toMatch(/pptr|puppeteer|evaluate/i)
      expect([prepared, globals]).toEqual([0, []])
      // The searches for the banner are not seen.
      expect(stacks).toHaveLength(1)
    })

    testOfAll("are driven visibly unless the operator hides it", async () => {
      const open = await visit(() => startTrawl({}))
      expect([open.face.webdriver, open.face.frameWebdriver]).toEqual([true, [true, true]])
      expect({ ...open.face, webdriver: false, frameWebdriver: [false, false] }).toEqual(ours.face)
    })

    testOfAll("have the same user agent and client hints without a window", async () => {
      const folder = mkdtempSync(join(tmpdir(), "trawl-shell-"))
      const shell = join(folder, "chrome-headless-shell")
      symlinkSync(fullChrome()!, shell)
      try {
        const { face } = await visit(() => startTrawl({ chrome: shell }))
        expect([face.agents, face.hints]).toEqual([hand.face.agents, hand.face.hints])
      } finally {
        rmSync(folder, { recursive: true })
      }
    })

    testOfAll("have them with a window as well", async () => {
      // Without a window on a display, so that none is needed.
      const chromeArgs = [...site.chromeArgs, "--ozone-platform=headless"]
      const { face } = await visit(() => startTrawl({ isHeaded: true, chromeArgs }))
      expect([face.agents, face.hints]).toEqual([hand.face.agents, hand.face.hints])
    })
  },
)
