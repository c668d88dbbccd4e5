import { afterAll, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import type { Thread } from "../../../../src/base/thread.ts"
import type { BrowserThread } from "../../../../src/engine/net/browser/browser-thread.ts"
import { BrowserHost } from "../../../../src/engine/net/browser/host.ts"
import { linkByHost } from "../../../../src/engine/net/browser/lease/link.ts"
import { RemoteBrowser } from "../../../../src/engine/net/browser/remote-browser.ts"
import { testOfAll } from "../../../samples.ts"
import { lean, lease, site } from "./setup.ts"

const server = site({ "/good": "<h1>good</h1>" })
const notes: string[] = []
const host = new BrowserHost(
  {
    chromeDownloadUrl: "never",
    chromeArgs: [],
    chromeWs: [],
    dataDir: "/nonexistent",
    chromeHeaded: false,
    chromeWebdriver: true,
    browserTabs: 2,
    pageWaitSeconds: 12,
    proxyUrls: [],
    egressAllow: [`127.0.0.1:${server.port}`],
    proxyResolves: false,
    ...lean,
  },
  (note) => notes.push(note),
)
afterAll(async () => {
  await host.stop()
  server.stop(true)
})

/** A worker's browser, in this thread. */
function worker(): RemoteBrowser {
  const { port1, port2 } = new MessageChannel()
  host.serve(port1)
  return new RemoteBrowser(linkByHost(port2), true)
}

const inside = host as unknown as { thread?: Thread<BrowserThread>; chromes: Map<string, number> }

/** Returns whether a process runs; a dead one may remain as a zombie. */
function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}`)) return false
  return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
}

for (const [name, end] of [
  ["ends", (thread: Thread<BrowserThread>) => thread.end("it was ended")],
  ["throws", (thread: Thread<BrowserThread>) => thread.tells.connect(99, null as never)],
] as const) {
  const declare = name === "throws" ? test : testOfAll
  declare(
    `a browser thread that ${name} is noticed, and another takes over`,
    async () => {
      const browsers = [worker(), worker()]
      const url = `http://127.0.0.1:${server.port}/good`
      const logged: string[] = []
      notes.length = 0
      let tries = 0
      const first = browsers[0]!.lease(lease({ log: (line) => logged.push(line) }), async (tab) => {
        await tab.goto(url, { waitFor: "h1" })
        if (tries++ === 0) {
          const [[folder, pid]] = [...inside.chromes] as [[string, number]]
          end(inside.thread!)
          // Its own page fails with an error that can be retried.
          const failure = await tab.waitFor(".never", 20_000).catch((error) => error)
          expect(failure).toMatchObject({ code: "browser_crashed" })
          for (let waits = 0; waits < 100 && (existsSync(folder) || isAlive(pid)); waits++)
            await Bun.sleep(100)
          expect(existsSync(folder)).toBe(false)
          expect(isAlive(pid)).toBe(false)
        }
        return tab.goto(url, { waitFor: "h1" })
      })
      expect((await first).text()).toContain("good")
      const other = await browsers[1]!.lease(lease(), (tab) => tab.goto(url, { waitFor: "h1" }))
      expect(other.text()).toContain("good")
      expect(logged.join()).toContain("Chrome ended")
      expect(notes.join()).toContain("thread of Chrome was lost")
    },
    120_000,
  )
}
