import { afterAll, expect, test } from "bun:test"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  makeChromeFolder,
  removeFolder,
  sweepChromeFolders,
} from "../../../../src/engine/net/browser/chrome/chrome-folder.ts"
import { leanChrome } from "../../../chrome.ts"
import { testOfAll } from "../../../samples.ts"
import { trawlCommand } from "../../../trawl.ts"
import { lean, lease, site, testBrowser } from "./setup.ts"

const server = site({ "/good": "<h1>good</h1>" })
const url = `http://127.0.0.1:${server.port}/good`
const folder = mkdtempSync(join(tmpdir(), "trawl-test-"))
afterAll(() => {
  server.stop(true)
  rmSync(folder, { recursive: true, force: true })
})

/** A Chrome that exits at its first starts, as a killed one does. */
async function dyingChrome(deaths: number): Promise<string> {
  const path = join(folder, `chrome-${deaths}`)
  const count = join(folder, `starts-${deaths}`)
  await Bun.write(
    path,
    `#!/bin/sh
echo start >> ${count}
if [ "$(wc -l < ${count})" -le ${deaths} ]; then kill -9 $$; fi
exec ${leanChrome()} "$@"
`,
  )
  chmodSync(path, 0o755)
  return path
}

test("a Chrome that is killed while it starts is started again", async () => {
  const chrome = testBrowser(() => [server.port!], { chrome: await dyingChrome(1) })
  const pages = Array.from({ length: 4 }, () =>
    chrome.browser.lease(lease(), (tab) => tab.goto(url, { waitFor: "h1" })),
  )
  for (const page of await Promise.all(pages)) expect(page.text()).toContain("good")
  await chrome.stop()
}, 120_000)

test("one that never starts is reported as unavailable", async () => {
  const chrome = testBrowser(() => [server.port!], { chrome: await dyingChrome(100) })
  const failure = await chrome.browser
    .lease(lease(), (tab) => tab.goto(url))
    .catch((error) => error)
  expect(failure).toMatchObject({ code: "browser_unavailable" })
  expect(await Bun.file(join(folder, "starts-100")).text()).toBe("start\n".repeat(2))
  await chrome.stop()
}, 120_000)

const program = "/bin/true"
test.if(existsSync(program) && Bun.which("ldd") !== null)(
  "one that lacks a system library names it",
  async () => {
    const bytes = readFileSync(program)
    bytes.write("libx.so.6", bytes.indexOf("libc.so.6"))
    const path = join(folder, "chrome-lacking")
    writeFileSync(path, bytes, { mode: 0o755 })
    const chrome = testBrowser(() => [server.port!], { chrome: path })
    const failure = await chrome.browser
      .lease(lease(), (tab) => tab.goto(url))
      .catch((error) => error)
    expect(failure.message).toBe(`Chrome at ${path} did not start: it lacks libx.so.6`)
    await chrome.stop()
  },
  120_000,
)

test("Chrome's files are in their own folder, and deleted with it", async () => {
  const own = mkdtempSync("/tmp/tv-own-")
  const before = process.env.TMPDIR
  const chrome = testBrowser(() => [server.port!], lean)
  let during: string[]
  try {
    process.env.TMPDIR = own
    await chrome.browser.lease(lease(), (tab) => tab.goto(url, { waitFor: "h1" }))
    during = readdirSync(own)
    await chrome.stop()
  } finally {
    await chrome.stop()
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  expect(during).toHaveLength(1)
  expect(during[0]).toStartWith("trawl-chrome-")
  expect(readdirSync(own)).toEqual([])
  await removeFolder(own)
}, 120_000)

testOfAll(
  "a served browser that is stopped while Chrome starts leaves nothing behind",
  async () => {
    const own = mkdtempSync("/tmp/tv-own-")
    const path = join(own, "slow-chrome")
    writeFileSync(path, `#!/bin/sh\nsleep 1\nexec ${leanChrome()} "$@"\n`, { mode: 0o755 })
    const temporary = join(own, "t")
    mkdirSync(temporary)
    const child = Bun.spawn([...trawlCommand, "browser", "serve", "--listen", "127.0.0.1:0"], {
      env: {
        PATH: process.env.PATH,
        TMPDIR: temporary,
        TRAWL_DATA_DIR: join(own, "data"),
        TRAWL_CHROME: path,
      },
      stdout: "ignore",
      stderr: "ignore",
    })
    try {
      while (readdirSync(temporary).length === 0) await Bun.sleep(20)
      child.kill("SIGTERM")
      expect(await child.exited).toBe(0)
      expect(readdirSync(temporary)).toEqual([])
    } finally {
      child.kill("SIGKILL")
      await child.exited
      await removeFolder(own)
    }
  },
  120_000,
)

test("Chrome starts even if the path of the temporary folder is long", async () => {
  const long = join(folder, "a".repeat(120))
  mkdirSync(long)
  const before = process.env.TMPDIR
  const chrome = testBrowser(() => [server.port!], lean)
  try {
    process.env.TMPDIR = long
    const page = await chrome.browser.lease(lease(), (tab) => tab.goto(url, { waitFor: "h1" }))
    expect(page.status).toBe(200)
  } finally {
    await chrome.stop()
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
  expect(readdirSync(long)).toEqual([])
}, 120_000)

test("folders of killed processes are removed, those in use are not", async () => {
  const parent = join(folder, "sweep")
  mkdirSync(parent)
  const script = `
    const { makeChromeFolder } = await import(${JSON.stringify(join(import.meta.dir, "../../../../src/engine/net/browser/chrome/chrome-folder.ts"))})
    // Its lock is held as long as the folder itself is.
    globalThis.kept = makeChromeFolder(${JSON.stringify(parent)})
    console.log(globalThis.kept.path)
    setInterval(() => {}, 1000)`
  const owner = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" })
  const { value } = await owner.stdout.getReader().read()
  const theirs = new TextDecoder().decode(value).trim()
  const ours = makeChromeFolder(parent)
  const older = join(parent, "trawl-chrome-older")
  const fresh = join(parent, "trawl-chrome-fresh")
  for (const path of [older, fresh, join(parent, "another")]) mkdirSync(path)
  const longAgo = Date.now() / 1000 - 3600
  const age = (path: string) => utimesSync(path, longAgo, longAgo)
  age(older)
  age(theirs)

  sweepChromeFolders(parent)
  expect(existsSync(theirs)).toBe(true)
  owner.kill("SIGKILL")
  await owner.exited
  age(theirs)
  sweepChromeFolders(parent)
  expect(existsSync(theirs)).toBe(false)
  expect(existsSync(older)).toBe(false)
  expect(existsSync(fresh)).toBe(true)
  expect(existsSync(ours.path)).toBe(true)
  await ours.remove()
  expect(readdirSync(parent).sort()).toEqual(["another", "trawl-chrome-fresh"])
}, 120_000)
