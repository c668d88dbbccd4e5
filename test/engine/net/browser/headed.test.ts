import { afterAll, describe, expect, test } from "bun:test"
import {
  findChrome,
  isHeadlessShell,
  lacksWindow,
} from "../../../../src/engine/net/browser/supply/find.ts"
import { failureOf, lease, site, testBrowser } from "./setup.ts"

const server = site({
  "/window": `<p id="window"></p><script>
    const gl = document.createElement("canvas").getContext("webgl")
    document.getElementById("window").textContent = JSON.stringify({
      screen: [screen.width, screen.height], window: [outerWidth, outerHeight],
      frame: outerHeight - innerHeight > 50, pointer: matchMedia("(pointer: fine)").matches,
      hover: matchMedia("(hover: hover)").matches, webgl: gl !== null, agent: navigator.userAgent,
    })
  </script>`,
})
const url = `http://127.0.0.1:${server.port}/window`
afterAll(() => server.stop(true))

const xvfb = Bun.which("Xvfb")
const chrome = findChrome({
  dataDir: "/nonexistent",
  ...(process.env.TRAWL_CHROME && { chrome: process.env.TRAWL_CHROME }),
})
const hasWindows = chrome !== undefined && !isHeadlessShell(chrome)

/** Starts a display of Xvfb with a free number. */
async function display(): Promise<{ name: string; stop(): Promise<void> }> {
  const child = Bun.spawn(
    [xvfb!, "-displayfd", "1", "-screen", "0", "1920x1080x24", "-nolisten", "tcp"],
    { stdout: "pipe", stderr: "ignore" },
  )
  const { value } = await child.stdout.getReader().read()
  const stop = async () => {
    child.kill()
    await child.exited
  }
  return { name: `:${new TextDecoder().decode(value).trim()}`, stop }
}

async function withDisplay<T>(name: string | undefined, work: () => Promise<T>): Promise<T> {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env
  const set = (variables: Record<string, string | undefined>) => {
    for (const [key, value] of Object.entries(variables)) {
      if (value === undefined) delete process.env[key]
      else process.env[key] = value
    }
  }
  set({ DISPLAY: name, WAYLAND_DISPLAY: undefined })
  return work().finally(() => set({ DISPLAY, WAYLAND_DISPLAY }))
}

describe.skipIf(!hasWindows || process.platform !== "linux")("with TRAWL_CHROME_HEADED", () => {
  test.skipIf(!xvfb)("Chrome opens its window on a virtual display", async () => {
    const { name, stop } = await display()
    const { browser, stop: end } = testBrowser(() => [server.port!], {
      chrome: chrome!,
      isHeaded: true,
    })
    try {
      const page = await withDisplay(name, () =>
        browser.lease(lease(), (tab) =>
          tab.goto(url, { waitFor: "#window", screenshot: { type: "png", fullPage: false } }),
        ),
      )
      const { agent, ...seen } = JSON.parse(page.document.querySelector("#window")!.textContent!)
      expect(seen).toEqual({
        ...{ screen: [1920, 1080], window: [1366, 900], frame: true },
        ...{ pointer: true, hover: true, webgl: true },
      })
      expect(agent).not.toContain("Headless")
      expect(page.shots?.screenshot?.width).toBe(1366)
    } finally {
      await end()
      await stop()
    }
  })

  test("without a display, the error names what is missing", async () => {
    const { browser, stop } = testBrowser(() => [server.port!], { chrome: chrome!, isHeaded: true })
    const failure = await withDisplay(undefined, () =>
      failureOf(browser.lease(lease(), (tab) => tab.goto(url))),
    )
    await stop()
    expect(failure).toMatchObject({ code: "browser_unavailable" })
    expect((failure as Error).message).toContain("start Xvfb and set DISPLAY")
  })
})

test("the headless shell has no windows; other systems have their own display", () => {
  const env = { DISPLAY: ":1" }
  expect(lacksWindow("/opt/chrome-headless-shell", [], { platform: "linux", env })).toContain(
    "shell",
  )
  expect(lacksWindow("/usr/bin/chromium", [], { platform: "linux", env })).toBeUndefined()
  expect(lacksWindow("/usr/bin/chromium", [], { platform: "linux", env: {} })).toContain("DISPLAY")
  const flags = ["--ozone-platform=wayland"]
  expect(lacksWindow("/usr/bin/chromium", flags, { platform: "linux", env: {} })).toBeUndefined()
  expect(lacksWindow("/Applications/Chrome", [], { platform: "darwin", env: {} })).toBeUndefined()
})
