import { afterAll, describe, expect, test } from "bun:test"
import { CookieJar } from "tough-cookie"
import {
  type PageAction,
  type ScrapeError,
  Unreachable,
} from "../../../../src/catalogue/kit/index.ts"
import { failureOf, lean, lease, site, testBrowser } from "./setup.ts"

const server = site({
  "/app": `<title>App</title><div id="root"></div><script>
    fetch("/api/list?page=1").then((answer) => answer.json()).then((list) => {
      document.getElementById("root").innerHTML = "<p class=ready>" + list.join(", ") + "</p>"
    })</script>`,
  "/api/list": () => Response.json(["one", "two"]),
  "/api/echo": async (request) =>
    Response.json({
      method: request.method,
      body: await request.text(),
      cookie: request.headers.get("cookie"),
    }),
  "/cookie": () =>
    new Response("<h1>set</h1>", {
      headers: { "content-type": "text/html", "set-cookie": "pass=solved; Path=/" },
    }),
  "/consent": `<div id="layer">We value <button id="onetrust-reject-all-handler"
    onclick="document.getElementById('layer').remove();document.body.append('the text')">Reject</button></div>`,
  "/steps": `<button id="more" onclick="document.body.insertAdjacentHTML('beforeend','<p class=extra>more</p>')">+</button>`,
  "/search": `<form action="/found"><input id="q" name="q"><select id="by" name="by"><option>name<option>date</select></form>
    <button id="later" onclick="setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=late>late</p>'), 50)">later</button>`,
  "/found": (request) =>
    new Response(`<h1>${new URL(request.url).search}</h1>`, {
      headers: { "content-type": "text/html" },
    }),
  "/long": `<div id="list"></div><script>
    let row = 0
    const add = () => { for (let i = 0; i < 30; i++) list.insertAdjacentHTML("beforeend", "<p style='height:60px'>row " + row++ + "</p>") }
    add(); addEventListener("scroll", () => { if (row < 120) add() })</script>`,
  "/missing": () =>
    new Response("<h1>gone</h1>", { status: 404, headers: { "content-type": "text/html" } }),
  "/boxes": `<style>body{margin:0}</style><h1 style="margin:0;width:300px;height:40px">Chair</h1>
    <p style="display:none">hidden</p><script>document.body.insertAdjacentHTML("beforeend",
    "<p id=drawn style='position:absolute;top:1500px;left:10px;margin:0;width:50px;height:20px'>in stock</p>")</script>`,
  "/moved": () => new Response(null, { status: 302, headers: { location: "/app" } }),
  "/image": `<img src="/picture.png"><h1>with image</h1>`,
  "/picture.png": () => {
    images++
    return new Response("x", { headers: { "content-type": "image/png" } })
  },
  "/popup": `<script>for (let i = 0; i < 5; i++) window.open("/app")</script><h1>popups</h1>`,
  "/asked": (request) =>
    new Response(
      `<h1>${request.headers.get("x-own")} ${request.headers.get("authorization")} ${request.headers.get("x-api-key")} ${request.headers.get("if-none-match")}</h1>`,
      { headers: { "content-type": "text/html" } },
    ),
  "/agent": (request) =>
    new Response(
      `<p id="ua">${request.headers.get("user-agent")}</p><p id="hint">${request.headers.get("sec-ch-ua")}</p>
       <script>document.body.dataset.agent = navigator.userAgent; document.body.dataset.languages = navigator.languages.join()</script>`,
      { headers: { "content-type": "text/html" } },
    ),
})
let images = 0
const root = `http://127.0.0.1:${server.port}`
const chrome = testBrowser(() => [server.port!], lean)
/** One run, for tests that need no tab without cookies: it opens its pages in the same tab. */
const run = lease()
afterAll(async () => {
  await chrome.stop()
  server.stop(true)
})

describe("render", () => {
  test("returns the page as its scripts made it, and the responses that it fetched", async () => {
    const response = await chrome.browser.lease(run, (tab) =>
      tab.goto(`${root}/app`, { waitFor: ".ready", capture: /\/api\/list/ }),
    )
    expect(response.status).toBe(200)
    expect(response.document.querySelector(".ready")?.textContent).toBe("one, two")
    expect(response.captured.map((one) => one.json<string[]>())).toEqual([["one", "two"]])
  })

  test("sends headers, except those that identify the caller to all hosts of a page", async () => {
    const headers = {
      "X-Own": "1",
      Authorization: "Bearer secret",
      "X-Api-Key": "secret",
      "if-none-match": "x",
    }
    const response = await chrome.browser.lease(run, (tab) =>
      tab.goto(`${root}/asked`, { headers }),
    )
    expect(response.document.querySelector("h1")?.textContent).toBe("1 null null null")
  })

  test("runs actions in their order before the page is read", async () => {
    const response = await chrome.browser.lease(run, (tab) =>
      tab.goto(`${root}/search`, {
        actions: [
          { type: "click", selector: "#later" },
          { type: "wait", selector: "#late" },
          { type: "type", selector: "#q", text: "north quay" },
          { type: "select", selector: "#by", value: "date" },
          { type: "click", selector: "#q" },
          { type: "press", key: "Enter" },
          { type: "wait", milliseconds: 5 },
        ],
      }),
    )
    expect(response.document.querySelector("h1")?.textContent).toBe("?q=north+quay&by=date")
    expect(new URL(response.url).pathname).toBe("/found")
  })

  test("names an action that finds nothing, or cannot be done", async () => {
    const failureAfter = async (action: PageAction) => {
      const requested = chrome.browser.lease(run, (tab) =>
        tab.goto(`${root}/search`, { actions: [{ type: "click", selector: "#q" }, action] }),
      )
      const { code, message } = (await failureOf(requested)) as ScrapeError
      return `${code}: ${message}`
    }
    expect(await failureAfter({ type: "press", key: "NoSuchKey" })).toStartWith(
      "action_failed: actions[1] (press) failed: ",
    )
    expect(await failureAfter({ type: "wait", selector: "#none", milliseconds: 50 })).toBe(
      'selector_not_found: actions[1] (wait): nothing on the page matches the selector "#none".',
    )
  })

  test("returns a screenshot with the source and the boxes of its visible elements", async () => {
    const [plain, boxed] = await chrome.browser.lease(run, async (tab) => [
      await tab.goto(`${root}/boxes`, { screenshot: { type: "webp", fullPage: true } }),
      await tab.goto(`${root}/boxes`, {
        screenshot: { type: "webp", fullPage: true, boxes: true },
      }),
    ])
    expect(plain!.shots!.screenshot).not.toHaveProperty("boxedHtml")
    expect(plain!.text()).not.toContain("data-trawl-box")
    const { boxedHtml = "", height } = boxed!.shots!.screenshot!
    expect(height).toBeGreaterThanOrEqual(1520)
    const boxes = [...boxedHtml.matchAll(/<(h1|p)[^>]*?data-trawl-box="([^"]*)"/g)]
    expect(boxes.map(([, tag, box]) => [tag, box])).toEqual([
      ["h1", "0 0 300 40"],
      ["p", "10 1500 50 20"],
    ])
    expect(boxedHtml).toContain("in stock")
    expect(boxedHtml).toContain('<p style="display:none">hidden</p>')
  })

  test("returns screenshots, sources and values of scripts at each action", async () => {
    const response = await chrome.browser.lease(run, (tab) =>
      tab.goto(`${root}/steps`, {
        actions: [
          { type: "screenshot" },
          { type: "html" },
          { type: "click", selector: "#more" },
          { type: "script", script: "document.querySelectorAll('.extra').length" },
          {
            type: "script",
            script: "const add = 2; return { sum: await Promise.resolve(40 + add) }",
          },
          { type: "script", script: "document.body.append('by script')" },
          { type: "screenshot", fullPage: true },
          { type: "html" },
        ],
      }),
    )
    const { screenshots, pages, values } = response.shots!.actions!
    expect(values).toEqual([1, { sum: 42 }, null])
    expect(pages.map(({ html }) => html.includes('<p class="extra">'))).toEqual([false, true])
    expect(pages[1]).toMatchObject({
      url: `${root}/steps`,
      html: expect.stringContaining("by script"),
    })
    expect(screenshots.map(({ contentType }) => contentType)).toEqual(["image/png", "image/png"])
    const [before, after] = screenshots.map(({ bytes }) => Bun.hash(bytes))
    expect(before).not.toBe(after)
  })

  test("names a script that fails or returns too much", async () => {
    const failureOfScript = async (script: string) => {
      const requested = chrome.browser.lease(run, (tab) =>
        tab.goto(`${root}/steps`, { actions: [{ type: "script", script }] }),
      )
      return ((await failureOf(requested)) as ScrapeError).message
    }
    expect(await failureOfScript("nope()")).toContain("actions[0] (script) failed: nope is not")
    expect(await failureOfScript("'x'.repeat(6e6)")).toContain("more than 5000000 characters")
  })

  test("waits for a quiet network by default", async () => {
    const response = await chrome.browser.lease(run, (tab) => tab.goto(`${root}/app`))
    expect(response.text()).toContain("one, two")
  })

  test("keeps the status of the page, and its redirects", async () => {
    const missing = await chrome.browser.lease(run, (tab) => tab.goto(`${root}/missing`))
    expect(missing.status).toBe(404)
    const moved = await chrome.browser.lease(run, (tab) => tab.goto(`${root}/moved`))
    expect(moved.url).toBe(`${root}/app`)
    expect(moved.redirects).toEqual([{ url: `${root}/moved`, status: 302, location: "/app" }])
  })

  test("shares cookies with plain calls in both directions", async () => {
    const jar = new CookieJar()
    await jar.setCookie("from=fetch; Path=/", root)
    await chrome.browser.lease(lease({ jar }), (tab) =>
      tab.goto(`${root}/cookie`, { waitFor: "h1" }),
    )
    expect(await jar.getCookieString(root)).toContain("pass=solved")
    const echo = await chrome.browser.lease(lease({ jar }), async (tab) => {
      await tab.goto(`${root}/app`, { waitFor: ".ready" })
      return (await tab.fetch("/api/echo", { json: { a: 1 } })).json<Record<string, string>>()
    })
    expect(echo).toMatchObject({ method: "POST", body: '{"a":1}' })
    expect(echo.cookie).toContain("from=fetch")
    expect(echo.cookie).toContain("pass=solved")
  })

  test("isolates runs of different accounts", async () => {
    await chrome.browser.lease(lease(), (tab) => tab.goto(`${root}/cookie`, { waitFor: "h1" }))
    const echo = await chrome.browser.lease(lease(), async (tab) => {
      await tab.goto(`${root}/app`, { waitFor: ".ready" })
      return (await tab.fetch("/api/echo")).json<{ cookie: string | null }>()
    })
    expect(echo.cookie).toBeNull()
  })

  test("dismisses a consent layer", async () => {
    const response = await chrome.browser.lease(run, (tab) => tab.goto(`${root}/consent`))
    expect(response.text()).toContain("the text")
    expect(response.document.querySelector("#layer")).toBeNull()
  })

  test("does several steps in one lease", async () => {
    const response = await chrome.browser.lease(run, async (tab) => {
      await tab.goto(`${root}/steps`)
      expect(await tab.click("#nothing")).toBe(false)
      expect(await tab.click("#more")).toBe(true)
      expect(await tab.waitFor(".extra", 2000)).toBe(true)
      return tab.read()
    })
    expect(response.document.querySelectorAll(".extra")).toHaveLength(1)
  })

  test("scrolls until nothing new appears", async () => {
    const response = await chrome.browser.lease(run, (tab) =>
      tab.goto(`${root}/long`, { scroll: 40 }),
    )
    expect(response.document.querySelectorAll("#list p").length).toBeGreaterThanOrEqual(120)
  })

  test("loads images only on request", async () => {
    await chrome.browser.lease(run, (tab) => tab.goto(`${root}/image`))
    expect(images).toBe(0)
    await chrome.browser.lease(run, (tab) => tab.goto(`${root}/image`, { block: [] }))
    expect(images).toBe(1)
  })

  test("closes windows that a page opens", async () => {
    await chrome.browser.lease(run, (tab) => tab.goto(`${root}/popup`))
    const response = await chrome.browser.lease(run, (tab) =>
      tab.goto(`${root}/app`, { waitFor: ".ready" }),
    )
    expect(response.status).toBe(200)
  })

  test("has the same identity everywhere", async () => {
    const response = await chrome.browser.lease(run, (tab) => tab.goto(`${root}/agent`))
    const agent = response.document.querySelector("#ua")?.textContent ?? ""
    expect(agent).not.toContain("Headless")
    expect(response.document.body.getAttribute("data-agent")).toBe(agent)
    expect(response.document.body.getAttribute("data-languages")).toContain("en")
  })

  test("stores a screenshot of each page if requested", async () => {
    const shots: Uint8Array[] = []
    await chrome.browser.lease(lease({ onScreenshot: (png) => shots.push(png) }), (tab) =>
      tab.goto(`${root}/app`, { waitFor: ".ready" }),
    )
    expect(shots).toHaveLength(1)
    expect([...shots[0]!.subarray(1, 4)]).toEqual([...new TextEncoder().encode("PNG")])
  })

  test("refuses URLs that are not web pages", async () => {
    for (const url of [
      "file:///etc/passwd",
      "chrome://version",
      "view-source:http://127.0.0.1/",
      "data:text/html,x",
    ]) {
      const opened = chrome.browser.lease(run, (tab) => tab.goto(url))
      expect(await failureOf(opened), url).toMatchObject({ code: "invalid_input" })
    }
  })

  test("explains what to do without Chrome", async () => {
    const none = testBrowser(() => [], { chrome: "/nonexistent/chrome" })
    expect(none.browser.available()).toBe(false)
    const opened = none.browser.lease(lease(), (tab) => tab.goto(root))
    expect(await failureOf(opened)).toMatchObject({
      message: expect.stringContaining("/nonexistent/chrome (TRAWL_CHROME) does not exist"),
    })
  })

  test("releases the page of an aborted run", async () => {
    const controller = new AbortController()
    const opened = chrome.browser.lease(lease({ signal: controller.signal }), async (tab) => {
      await tab.goto(`${root}/app`)
      controller.abort(new Unreachable("stopped", "connection"))
      await tab.waitFor(".never", 30_000)
    })
    expect(await failureOf(opened)).toMatchObject({ message: "stopped" })
  })
})
