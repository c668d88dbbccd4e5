import { expect, test } from "bun:test"
import type { BrowserLease } from "../../../../src/engine/fetch/environment.ts"
import { egressRulesOf } from "../../../../src/engine/net/http/egress-route.ts"
import type { WireRequest } from "../../../../src/engine/net/http/exchange.ts"
import { scraped, worldOf } from "../../fetch/world.ts"

test("the country is the input's, if it is a code of two letters", () => {
  const of = (input: Record<string, unknown>) =>
    egressRulesOf({ id: "run_1", accountId: null }, input).country
  expect(of({ country: "DE" })).toBe("de")
  expect(of({ countryCode: "us" })).toBe("us")
  expect(of({ country: "Germany", geo: "at" })).toBe("at")
  expect(of({ geo: "US-CA", country: 12, countryCode: ["fr"] })).toBeUndefined()
  expect(egressRulesOf({ id: "run_1", accountId: null }, {})).toEqual({ run: "run_1", account: "" })
  expect(egressRulesOf({ id: "run_1", accountId: "acc_1" }, {}).account).toBe("acc_1")
})

test("every fetch method of a run gets the account and session", async () => {
  const exit = { run: "run_1", account: "acc_1", country: "de" }
  const reported: Record<string, unknown> = {}
  const world = worldOf(() => ({ html: "<h1>page</h1>" }))
  const { http, browser } = world.environment
  world.environment.http = {
    send(request: WireRequest) {
      reported.http = request.exit
      return http.send(request)
    },
  }
  world.environment.browser = {
    fetch(lease: BrowserLease, request: WireRequest) {
      reported.net = lease.exit
      return browser!.fetch!(lease, request)
    },
    lease(lease, steps) {
      reported.page = lease.exit
      return browser!.lease(lease, steps)
    },
  }
  const url = "https://site.test/"
  for (const fetchMethods of ["http", "browser-http", "browser"] as const) {
    const scrape = async function* (
      _target: string,
      ctx: Parameters<Parameters<typeof scraped>[1]>[1],
    ) {
      yield { via: (await ctx.page(url)).via }
    }
    await scraped(world, scrape, { fetchMethods: [fetchMethods], exit })
  }
  expect(reported).toEqual({ http: exit, net: exit, page: exit })
})
