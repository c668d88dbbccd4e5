import { expect, test } from "bun:test"
import { replayClock } from "../../../src/base/clock.ts"
import { scraperBySlug } from "../../../src/catalogue/index.ts"
import type { Environment } from "../../../src/engine/fetch/environment.ts"
import { executeRun } from "../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../src/engine/runtime/run/memory-checkpoints.ts"

const challenge = {
  status: 403,
  headers: new Headers({ "content-type": "text/html" }),
  bytes: new TextEncoder().encode("<title>Blocked</title><h1>whoa there, pardner!</h1>"),
}

/**
 * Who asked, of all requests of one run; `chrome` is what the installed Chrome says of itself. Where
 * Reddit is `closed`, it answers its API to apps alone.
 */
async function askers(
  env: Record<string, string>,
  { closed = false } = {},
): Promise<Map<string, string>> {
  const agents = new Map<string, string>()
  const environment: Environment = {
    clock: replayClock(0),
    http: {
      async send({ url, headers }) {
        agents.set(new URL(url).host, headers.get("user-agent") ?? "")
        const token = { access_token: "token", expires_in: 3600 }
        const listing = { kind: "Listing", data: { children: [], after: null } }
        const body = JSON.stringify({ ...token, ...listing })
        const { hostname, pathname } = new URL(url)
        if (closed && hostname !== "oauth.reddit.com" && pathname !== "/api/v1/access_token") {
          return { ...challenge, via: "http", firstByte: null }
        }
        return {
          status: 200,
          headers: new Headers({ "content-type": "application/json", "set-cookie": "loid=1" }),
          bytes: new TextEncoder().encode(body),
          via: "http",
          firstByte: null,
        }
      },
    },
    chromeHeaders: () => ({
      navigation: { "user-agent": "Chrome" },
      call: { "user-agent": "Chrome" },
    }),
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env,
    keylessSecrets: ["all"],
  }
  const scraper = scraperBySlug("reddit-scraper")!
  const input = scraper.example as Record<string, unknown>
  await executeRun({
    scraper,
    input,
    checkpoint: new MemoryCheckpoints(scraper.targets(input as never), () => {}),
    environment,
    signal: new AbortController().signal,
  })
  return agents
}

test("a visitor asks www.reddit.com alone: old.reddit.com leads to a login", async () => {
  const agents = await askers({})
  expect([...agents.keys()]).toEqual(["www.reddit.com"])
  expect([...new Set(agents.values())]).toEqual(["Chrome"])
})

const app = { REDDIT_CLIENT_ID: "id", REDDIT_CLIENT_SECRET: "secret" }

test("an app of the operator is asked at last, and says its own name", async () => {
  const agents = await askers(app, { closed: true })
  expect([...agents.keys()]).toEqual(["www.reddit.com", "oauth.reddit.com"])
  expect(agents.get("oauth.reddit.com")).toContain("trawl/")
  expect([...(await askers(app)).keys()]).not.toContain("oauth.reddit.com")
})
