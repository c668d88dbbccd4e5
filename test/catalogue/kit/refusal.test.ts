import { describe, expect, test } from "bun:test"
import type { Refusal } from "../../../src/catalogue/kit/context.ts"
import {
  Blocked,
  Forbidden,
  HttpError,
  NotFound,
  RateLimited,
  type ScrapeError,
  Timeout,
} from "../../../src/catalogue/kit/core/errors.ts"
import { readOnce, refusedPage, refusedRequest } from "../../../src/catalogue/kit/core/refusal.ts"
import { HttpResponse } from "../../../src/engine/net/http/response.ts"

const url = "https://shop.example/p/1"
const at = (statusCode: number) => ({ url, statusCode })

describe("a request that a site refuses in its own way", () => {
  test.each<[string, Refusal, ScrapeError, boolean]>([
    ["a status of the site's", { statuses: [403, 412] }, new HttpError("412", at(412)), true],
    ["403 if the site uses it", { statuses: [403] }, new Forbidden("403", at(403)), true],
    ["403 if the site does not use it", {}, new Forbidden("403", at(403)), false],
    ["429 as a refusal", { statuses: [429] }, new RateLimited("429", null, at(429)), true],
    ["429 that names a time", { statuses: [429] }, new RateLimited("429", 60, at(429)), false],
    ["not found", { statuses: [403] }, new NotFound("404", at(404)), false],
    ["a stalled connection", { stalls: true }, new Timeout("slow", { url }), true],
    ["a slow site", { statuses: [403] }, new Timeout("slow", { url }), false],
    [
      "the address that robots are led to",
      { address: /\/blocked/ },
      new HttpError("500", { url: "https://shop.example/blocked", statusCode: 500 }),
      true,
    ],
  ])("%s", (_, refusal, thrown, isBlocked) => {
    expect(refusedRequest(thrown, url, refusal) instanceof Blocked).toBe(isBlocked)
  })

  test("is named by its vendor; other responses are not", () => {
    const refusal = { statuses: [403], vendor: "Shopwall" }
    expect(refusedRequest(new Forbidden("403", at(403)), url, refusal)?.vendor).toBe("Shopwall")
    expect(refusedRequest(new Error("403"), url, refusal)).toBeNull()
  })
})

describe("a page without its data", () => {
  const words = `<h1>Offers</h1>${"<p>Many words of a page.</p>".repeat(100)}`
  const page = (html: string) =>
    new HttpResponse({
      url,
      requestedUrl: url,
      status: 200,
      headers: new Headers({ "content-type": "text/html" }),
      via: "http",
      bytes: new TextEncoder().encode(html),
    })

  test.each<[string, string, Refusal, boolean]>([
    ["shows no sign", words, { sign: /press and hold/i }, false],
    ["shows the site's own sign", `${words}Press and hold`, { sign: /press and hold/i }, true],
    ["is one wherever it lacks them", words, { sign: () => true }, true],
    ["is recognized by its URL", words, { address: /\/p\/1$/ }, true],
  ])("%s", (_, html, refusal, isBlocked) => {
    expect(refusedPage(page(html), refusal) !== null).toBe(isBlocked)
  })

  test("is read once for both presence and values", () => {
    let times = 0
    const read = readOnce(() => ++times)
    const [one, two] = [page(words), page(words)]
    expect([read(one), read(one), read(two), read(one)]).toEqual([1, 1, 2, 1])
  })
})
