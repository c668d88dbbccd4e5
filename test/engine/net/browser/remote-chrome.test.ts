import { afterAll, expect, test } from "bun:test"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { killGroup, removeFolder } from "../../../../src/engine/net/browser/chrome/chrome-folder.ts"
import { openLeasing } from "../../../../src/engine/net/browser/open-leasing.ts"
import { leanChrome } from "../../../chrome.ts"
import { failureOf, site } from "./setup.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-remote-"))
const server = site({ "/good": "<h1>good</h1>" })
const url = `http://127.0.0.1:${server.port}/good`

/** Starts a Chrome without Trawl, as on another machine. */
async function plainChrome() {
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
  const child = Bun.spawn([leanChrome()!, ...flags, `--user-data-dir=${folder}`], {
    // A killed Chrome leaves its temporary files.
    env: { ...process.env, TMPDIR: folder },
    stderr: "pipe",
    stdout: "ignore",
    detached: true,
  })
  // The program may be a script that starts Chrome.
  const kill = () => {
    killGroup(child.pid)
    return child.exited
  }
  let reported = ""
  for await (const chunk of child.stderr) {
    reported += new TextDecoder().decode(chunk)
    const address = /DevTools listening on (ws:\S+)/.exec(reported)?.[1]
    if (address) return { kill, address }
  }
  throw new Error(`Chrome did not start: ${reported}`)
}

const chrome = await plainChrome()
const notes: string[] = []
const pool = openLeasing({
  chromeWs: [`${chrome.address}#weight=1`, "ws://127.0.0.1:1/devtools?token=a-secret#weight=100"],
  dataDir: "/nonexistent",
  tabs: 4,
  pagesPerChrome: 500,
  idleMs: 60_000,
  proxyUrls: [],
  resolve: () => Promise.reject(new Error("No connections are allowed from here.")),
  onNote: (note) => notes.push(note),
})
afterAll(async () => {
  await pool.stop()
  await chrome.kill()
  server.stop(true)
  await removeFolder(folder)
})
const requested = { owner: "run", unlocker: false, cookies: [], deadlineMs: 60_000 }

test("a remote Chrome is used next to an unreachable one, and its end is reported as a loss", async () => {
  const lease = await pool.lease(requested)
  expect((await lease.visit.goto(url)).text()).toContain("good")
  const request = { as: "document" as const, method: "GET", url, headers: [] }
  const { response } = await pool.fetch({
    ...requested,
    request: { ...request, maxBytes: 1000, timeoutMs: 30_000 },
  })
  expect(new TextDecoder().decode(response.bytes)).toContain("good")
  expect(pool.stats().remotes?.map(({ isAway }) => isAway)).toEqual([false, true])
  expect(notes.join()).toContain("127.0.0.1:1 is backed off")
  expect(notes.join()).not.toContain("a-secret")

  const waiting = failureOf(lease.visit.waitFor("#never", 60_000))
  void chrome.kill()
  expect(await waiting).toMatchObject({ kind: "Unreachable", code: "browser_crashed" })
  await lease.close()
}, 120_000)
