/** Log-ins in a Chrome of another machine: any CDP endpoint, and `trawl browser serve`. */
import { afterAll, expect, test } from "bun:test"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { killGroup } from "../../../src/engine/net/browser/chrome/chrome-folder.ts"
import { leanChrome, removeAfterUse } from "../../chrome.ts"
import { isRunningAll } from "../../samples.ts"
import { trawlCommand } from "../../trawl.ts"
import { Installation } from "../process.ts"
import { LoginSite, password } from "./login-site.ts"

const chrome = leanChrome()
const site = new LoginSite()
const folder = mkdtempSync(join(tmpdir(), "trawl-remote-login-"))
const token = "a-token-of-at-least-twenty-characters"
const kills: (() => unknown)[] = []

afterAll(async () => {
  for (const kill of kills) await kill()
  site.stop()
  await removeAfterUse(folder)
}, 60_000)

/** Starts a program, and returns the URL in its output. */
async function started(command: string[], address: RegExp, env: Record<string, string> = {}) {
  const child = Bun.spawn(command, {
    cwd: folder,
    // The temporary files of a killed Chrome are removed with the folder.
    env: { PATH: process.env.PATH ?? "", HOME: folder, TMPDIR: folder, ...env },
    stdout: "ignore",
    stderr: "pipe",
    detached: true,
  })
  kills.push(() => {
    killGroup(child.pid)
    return child.exited
  })
  let text = ""
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const [, found] = address.exec(text) ?? []
    if (found) return found
  }
  throw new Error(`The program did not start: ${text}`)
}

const plainChrome = () => {
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"]
  return started([chrome!, ...flags, `--user-data-dir=${folder}`], /DevTools listening on (ws:\S+)/)
}

async function trawlsChrome(): Promise<string> {
  const serve = [...trawlCommand, "browser", "serve", "--listen", "127.0.0.1:0"]
  const port = await started(serve, /127\.0\.0\.1:(\d+)/, {
    TRAWL_BROWSER_TOKEN: token,
    TRAWL_CHROME: chrome!,
    TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port},localhost:${site.port}`,
  })
  return `ws://127.0.0.1:${port}/trawl?token=${token}`
}

const remotes = [
  ["trawl browser serve", trawlsChrome],
  ["a CDP endpoint", plainChrome],
] as const

test.skipIf(!chrome).each(isRunningAll ? remotes : remotes.slice(0, 1))(
  "in %s, a recipe and a person log in",
  async (_, open) => {
    const installation = new Installation({
      TRAWL_CHROME_WS: await open(),
      TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port}`,
      TRAWL_SIGNUP: "open",
      TRAWL_CHROME_DOWNLOAD_URL: "never",
    })
    const serving = await installation.serve()
    kills.push(() => installation.remove())
    const signedUp = await fetch(`${serving.root}/api/account`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@example.com", password: "correct horse battery" }),
    })
    const cookie = /trawl_session=[^;]*/.exec(signedUp.headers.get("set-cookie") ?? "")![0]
    // biome-ignore lint/suspicious/noExplicitAny: a test reads any JSON response
    async function send(method: string, path: string, body?: object): Promise<any> {
      const response = await fetch(`${serving.root}/api/v1/${path}`, {
        method,
        headers: { cookie, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      expect(response.ok, text).toBe(true)
      return text === "" ? undefined : JSON.parse(text)
    }
    async function read(session: string): Promise<string> {
      const path = `scrapers/url-to-markdown-scraper/runs?waitForFinish=60&session=${session}`
      const run = await send("POST", path, { urls: [site.url(`/members/${session}`)] })
      return JSON.stringify(await send("GET", `datasets/${run.datasetId}/items`))
    }

    const steps = [
      { type: "goto", url: site.url("/login") },
      { type: "fill", selector: "#email", text: "ada@example.com" },
      { type: "fill", selector: "#password", secret: "password" },
      { type: "click", selector: "#go" },
      { type: "wait", selector: ".who" },
    ]
    await send("POST", "sessions", { name: "portal", login: { steps, secrets: { password } } })
    expect(await read("portal")).toContain("Hello Ada")
    // Its log-in ends, so the recipe logs in again.
    const logins = site.logins
    site.expire()
    expect(await read("portal")).toContain("Hello Ada")
    expect(site.logins).toBe(logins + 1)

    const { id } = await send("POST", "live-logins", { url: site.url("/login") })
    const pictures = await fetch(`${serving.root}/api/v1/live-logins/${id}/pictures`, {
      headers: { cookie },
    })
    let text = ""
    const reading = (async () => {
      for await (const chunk of pictures.body!.pipeThrough(new TextDecoderStream())) text += chunk
    })()
    const seen = async (title: string) => {
      for (let turn = 0; !text.includes(`"title":"${title}`); turn++) {
        expect(turn, text.slice(-200)).toBeLessThan(400)
        await Bun.sleep(50)
      }
    }
    await seen("Sign in")
    const events = [
      { type: "key", key: "Tab" },
      { type: "text", text: "ada@example.com" },
      { type: "key", key: "Tab" },
      { type: "text", text: password },
      { type: "key", key: "Enter" },
    ]
    await send("POST", `live-logins/${id}/input`, { events })
    await seen("Members")
    await send("POST", `live-logins/${id}/save`, { name: "by-hand" })
    await reading
    expect(await read("by-hand")).toContain("Hello Ada")
    expect(JSON.stringify([serving.lines, serving.noise])).not.toContain(password)
    await serving.end()
  },
  120_000,
)
