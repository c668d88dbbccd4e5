import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CookieJar } from "tough-cookie"
import { liveEnvironment } from "../../../../src/app/live-environment.ts"
import { systemClock } from "../../../../src/base/clock.ts"
import type { ChromeIdentity } from "../../../../src/engine/net/browser/chrome/identity.ts"
import {
  IdentityFile,
  identityLocation,
} from "../../../../src/engine/net/browser/chrome/identity-file.ts"
import { EgressFilter } from "../../../../src/engine/net/egress/filter.ts"
import { HttpClient } from "../../../../src/engine/net/http/client.ts"
import { LiveTransport } from "../../../../src/engine/net/http/live.ts"
import { openssl } from "../../../catalogue/certificates/certificates.ts"
import { lean, lease, testBrowser } from "./setup.ts"
import { tlsSite } from "./tls-site.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-identity-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Returns a Chrome by its file only. */
const chrome = join(folder, "chrome")
writeFileSync(chrome, "#!/bin/sh\n")
const place = (chromeArgs: string[] = []) =>
  identityLocation({ chrome, chromeArgs, chromeWs: [], dataDir: join(folder, "data") })!

const someone = (agent: string): ChromeIdentity => ({
  version: "Chrome/200.0.0.0",
  agent,
  override: { userAgent: agent },
  headers: { navigation: { "user-agent": agent }, call: { "user-agent": agent } },
})

describe("Chrome's user agent is stored", () => {
  test("for the next start, until another Chrome is installed", () => {
    expect(new IdentityFile(place()).load()).toBeUndefined()
    new IdentityFile(place()).save(someone("first"))
    expect(new IdentityFile(place()).load()).toEqual(someone("first"))
    expect(new IdentityFile(place(["--lang=de"])).load()).toBeUndefined()
    utimesSync(chrome, new Date(), new Date(Date.now() - 3_600_000))
    expect(new IdentityFile(place()).load()).toBeUndefined()
  })

  test("and an unreadable file is ignored", () => {
    const broken = { ...place(), file: join(folder, "broken.json") }
    writeFileSync(broken.file, "{")
    expect(new IdentityFile(broken).load()).toBeUndefined()
  })

  test("a run has one user agent from its first request to its last", () => {
    const settings = {
      egressAllow: [],
      proxyUrls: [],
      proxyResolves: false,
      unlockerUrl: undefined,
      hostRateLimits: [],
    }
    const fresh = { ...place(), file: join(folder, "fresh.json") }
    const world = liveEnvironment({
      ...settings,
      contact: undefined,
      keylessSecrets: [],
      env: {},
      identity: fresh,
    } as unknown as Parameters<typeof liveEnvironment>[0])
    const before = new CookieJar()
    expect(world.chromeHeaders!(before)).toBeUndefined()
    new IdentityFile(fresh).save(someone("known"))
    const later = liveEnvironment({ ...settings, identity: fresh } as never)
    const jar = new CookieJar()
    expect(later.chromeHeaders!(jar)).toEqual(someone("known").headers)
    expect(world.chromeHeaders!(before)).toBeUndefined()
  })
})

describe.if(openssl !== null).each([
  ["the installed Chrome", {}],
  ["the headless shell, if it is installed", lean],
])("with %s", (name, settings) => {
  test("a plain request has Chrome's user agent without the word Headless", async () => {
    const site = await tlsSite(["a.test"], (_, response) => {
      response.writeHead(200, { "content-type": "text/html" })
      response.end("<h1>here</h1>")
    })
    const store = new IdentityFile({ ...place(), file: join(folder, `${name}.json`) })
    const { browser, stop } = testBrowser(() => [site.port], {
      ...settings,
      chromeArgs: site.chromeArgs,
      identity: store,
    })
    const stated = (path: string) =>
      Object.fromEntries(
        site.requests
          .findLast((one) => one.path === path)!
          .headers.map(([name, value]) => [name.toLowerCase(), value]),
      )
    const url = `https://a.test:${site.port}`
    const jar = new CookieJar()
    const screen = await browser.lease(lease({ jar }), async (tab) => {
      const visible = await tab.goto(`${url}/chrome`)
      await tab.fetch(`${url}/chrome-call`)
      return visible
    })
    expect(screen.status).toBe(200)
    const filter = new EgressFilter(["a.test"], async () => ["127.0.0.1"])
    const http = new HttpClient({
      transport: new LiveTransport(filter, { ca: site.ca }),
      clock: systemClock,
      signal: new AbortController().signal,
      chrome: store.load()!.headers,
    })
    await http.request("GET", `${url}/plain`, { identity: "browser" })
    const headers = { accept: "*/*", referer: `${url}/chrome` }
    await http.request("GET", `${url}/plain-call`, {
      identity: "browser",
      headers: { ...headers, accept: "application/json" },
    })
    await stop()
    site.close()
    const page = stated("/chrome")
    expect(page["user-agent"]).toMatch(/ Chrome\/\d+\.0\.0\.0 /)
    expect(page["accept-language"]).toStartWith("en-US")
    // Headers of the connection are not compared.
    const { priority: _, ...visible } = page
    const { host: _host, connection: _connection, priority: _priority, ...plain } = stated("/plain")
    expect(plain).toEqual(visible)
    const { priority: _1, ...call } = stated("/chrome-call")
    const { host: _2, connection: _3, priority: _4, ...plainCall } = stated("/plain-call")
    expect({ ...plainCall, accept: "*/*" }).toEqual(call as typeof plainCall & { accept: string })
  }, 120_000)
})
