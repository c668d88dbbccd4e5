import { expect, test } from "bun:test"
import { replayClock } from "../../../../src/base/clock.ts"
import { HttpClient } from "../../../../src/engine/net/http/client.ts"
import type { WireRequest } from "../../../../src/engine/net/http/exchange.ts"

test("a request waits ten seconds for headers if another fetch method follows, else the usual time", async () => {
  const sent: WireRequest[] = []
  const request = async (hasFallback: boolean) => {
    const http = new HttpClient({
      transport: {
        async send(wire) {
          sent.push(wire)
          const parts = { headers: new Headers(), bytes: new Uint8Array(), firstByte: null }
          return { status: 200, via: "http", ...parts }
        },
      },
      ...{ clock: replayClock(0), signal: new AbortController().signal, hasFallback },
    })
    await http.request("GET", "https://shop.example/")
  }
  await request(true)
  await request(false)
  expect(sent.map(({ headersWithinMs }) => headersWithinMs)).toEqual([10_000, undefined])
})
