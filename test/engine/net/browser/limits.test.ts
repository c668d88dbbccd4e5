import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import type { Browser } from "puppeteer-core"
import { isRunningAll, testOfAll } from "../../../samples.ts"
import { failureOf, lean, lease, site, testBrowser } from "./setup.ts"

const server = site({
  "/good": "<h1>good</h1>",
  "/loop": "<h1>loop</h1><script>while (true) {}</script>",
  "/late-loop": "<h1>loop</h1><script>setTimeout(() => { while (true) {} }, 300)</script>",
  "/busy":
    "<h1>busy</h1><script>setInterval(() => { const end = Date.now() + 300; while (Date.now() < end) {} }, 1)</script>",
  "/memory": `<h1>memory</h1><script>
    const kept = []
    setInterval(() => kept.push(new Uint8Array(2e7).fill(1)), 20)
  </script>`,
  "/windows": `<h1>windows</h1><script>
    for (let at = 0; at < 5; at++) window.open("/window")
  </script>`,
  "/many-windows": `<h1>windows</h1><script>
    for (let at = 0; at < 25; at++) window.open("/window")
    setInterval(() => window.open("/window"), 20)
  </script>`,
  "/window": "<h1>window</h1>",
})
const root = `http://127.0.0.1:${server.port}`
const hangMs = 1500
const pageBytes = 300 * 1024 ** 2
const deadlineMs = 60_000
const chrome = testBrowser(() => [server.port!], { ...lean, hangMs, pageBytes })
/** A page that is short of memory may collect garbage for longer than that on a busy machine. */
const patient = testBrowser(() => [server.port!], { ...lean, hangMs: 30_000, pageBytes })
process.env.EXAMPLE_API_TOKEN = "a-secret-of-ours"
const goto = (path: string, options = {}) =>
  chrome.browser.lease(lease({ deadlineMs }), (tab) => tab.goto(`${root}${path}`, options))

beforeAll(() => goto("/good", { waitFor: "h1" }) as Promise<unknown>, 30_000)
afterAll(async () => {
  delete process.env.EXAMPLE_API_TOKEN
  await Promise.all([chrome.stop(), patient.stop()])
  server.stop(true)
})

/** Returns the process group of Chrome: its processes with their processor time and memory. */
function processes({ pool } = chrome): { type: string; scheduledRuns: number; bytes: number }[] {
  const [group] = pool.stats().pids
  return [...new Bun.Glob("*").scanSync({ cwd: "/proc", onlyFiles: false })].flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")
      if (Number(stat[2]) !== group) return []
      const line = readFileSync(`/proc/${pid}/cmdline`, "utf8")
      return [
        {
          type: /--type=([\w-]+)/.exec(line)?.[1] ?? "browser",
          scheduledRuns: Number(stat[11]) + Number(stat[12]),
          bytes: Number(stat[21]) * 4096,
        },
      ]
    } catch {
      return []
    }
  })
}
const renderers = (of = chrome) => processes(of).filter(({ type }) => type === "renderer")

describe("a page that blocks its event loop ends its lease long before the lease's own end", () => {
  for (const path of isRunningAll ? ["/loop", "/late-loop"] : ["/late-loop"]) {
    test(path, async () => {
      const failure = await failureOf(goto(path, { timeoutMs: 30_000 }))
      expect(failure).toMatchObject({ code: "timeout" })
      expect((failure as Error).message).toContain("blocked it for 1.5 s")
      // Its process ends too, so that nothing continues to use a core.
      const usedTime = () => renderers().reduce((sum, { scheduledRuns }) => sum + scheduledRuns, 0)
      for (let looks = 0, before = Number.NEGATIVE_INFINITY; ; looks++) {
        const now = usedTime()
        if (now - before < 50) break
        expect(looks, "seconds until the process has ended").toBeLessThan(40)
        before = now
        await Bun.sleep(1000)
      }
    }, 120_000)
  }

  testOfAll(
    "also by the script of an action",
    async () => {
      const actions = [{ type: "script", script: "while (true) {}" } as const]
      const failure = await failureOf(goto("/good", { actions }))
      expect((failure as Error).message).toContain("blocked it for 1.5 s")
    },
    120_000,
  )

  test("and one that is only busy does not", async () => {
    const response = await chrome.browser.lease(lease({ deadlineMs }), async (tab) => {
      await tab.goto(`${root}/busy`, { waitFor: "h1" })
      await Bun.sleep(1.2 * hangMs)
      return tab.read()
    })
    expect(response.text()).toContain("busy")
  }, 120_000)
})

test("a page that uses too much memory is closed, and reported as too large", async () => {
  let most = 0
  const look = setInterval(() => {
    most = Math.max(most, ...renderers(patient).map(({ bytes }) => bytes))
  }, 100)
  const failure = await failureOf(
    patient.browser.lease(lease({ deadlineMs }), async (tab) => {
      await tab.goto(`${root}/memory`, { waitFor: "h1" })
      await tab.waitFor(".never", 40_000)
      return tab.read()
    }),
  )
  clearInterval(look)
  expect(failure).toMatchObject({ code: "too_large" })
  expect((failure as Error).message).toContain("memory")
  expect(most).toBeGreaterThan(pageBytes / 2)
  expect(most).toBeLessThan(4 * pageBytes)
  expect((await goto("/good", { waitFor: "h1" })).text()).toContain("good")
}, 120_000)

test("windows that a page opens are closed, and it is still read", async () => {
  const response = await goto("/windows", { waitFor: "h1" })
  expect(response.text()).toContain("windows")
  await noWindows()
}, 120_000)

testOfAll(
  "a page that opens windows endlessly is closed",
  async () => {
    const failure = await failureOf(goto("/many-windows", { timeoutMs: 30_000, waitFor: ".never" }))
    expect((failure as Error).message).toContain("windows")
    expect((await goto("/good", { waitFor: "h1" })).text()).toContain("good")
    await noWindows()
  },
  120_000,
)

/** Waits until the windows that pages opened are closed. */
async function noWindows(): Promise<void> {
  for (let looks = 0; (await windows()).length > 0; looks++) {
    expect(looks, "looks until the windows are closed").toBeLessThan(300)
    await Bun.sleep(100)
  }
}

/** Returns the URLs of windows that pages opened. */
async function windows(): Promise<string[]> {
  const { chromes } = chrome.pool as unknown as { chromes: { all: { browser: Browser }[] } }
  const cdp = await chromes.all[0]!.browser.target().createCDPSession()
  const { targetInfos } = await cdp.send("Target.getTargets")
  await cdp.detach()
  return targetInfos.filter(({ openerId }) => openerId).map(({ url }) => url)
}

test("Chrome gets only the environment variables that it needs", async () => {
  await goto("/good", { waitFor: "h1" })
  const [pid] = chrome.pool.stats().pids
  const environment = readFileSync(`/proc/${pid}/environ`, "utf8")
  expect(environment).toContain("PATH=")
  expect(environment).toMatch(/TMPDIR=\S*trawl-chrome-/)
  expect(environment).not.toContain("a-secret-of-ours")
}, 120_000)
