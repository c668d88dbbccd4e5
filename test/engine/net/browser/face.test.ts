import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { fullChrome } from "../../../chrome.ts"
import { lease, site, testBrowser } from "./setup.ts"

const server = site({
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
    function show() {
      const globals = Object.keys(window).filter((name) => /pptr|puppeteer|cdc_|__/i.test(name))
      document.getElementById("out").textContent = JSON.stringify({ stacks, prepared, globals })
      document.body.id = "done"
    }</script>`,
})
afterAll(() => server.stop(true))

interface Face {
  stacks: string[]
  prepared: number
  globals: string[]
}

const path = fullChrome()
// by-hand.test.ts compares the rest with a Chrome that a person starts.
describe.if(path !== undefined)("pages that look for automation", () => {
  let face: Face
  beforeAll(async () => {
    const chrome = testBrowser(() => [server.port!], { chrome: path! })
    const response = await chrome.browser.lease(lease(), async (tab) => {
      await tab.goto(`http://127.0.0.1:${server.port}/face`)
      await tab.waitFor("#done")
      return tab.read()
    })
    face = JSON.parse(response.document.querySelector("#out")!.textContent!)
    await chrome.stop()
  }, 60_000)

  test("find it neither in their functions nor in what they log", () => {
    expect(face.stacks.join("\n")).not.toMatch(/pptr|puppeteer|evaluate/i)
    expect([face.prepared, face.globals]).toEqual([0, []])
  })

  test("see the click on their consent banner, and none of the searches for it", () => {
    expect(face.stacks).toHaveLength(1)
  })
})
