import { describe, expect, test } from "bun:test"
import type { Answer, Context } from "../../../src/catalogue/kit/context.ts"
import {
  Blocked,
  Changed,
  EmptyShell,
  Forbidden,
  HttpError,
  NotFound,
  type Outcome,
  RateLimited,
  Timeout,
} from "../../../src/catalogue/kit/outcome.ts"
import { guarded, lacking, type Wall } from "../../../src/catalogue/kit/walls.ts"
import { HttpAnswer } from "../../../src/engine/http/answer.ts"

const url = "https://shop.example/p/1"
const context = { signal: new AbortController().signal } as Context
const at = (statusCode: number) => ({ url, statusCode })

async function outcomeOf(wall: Wall, thrown: Outcome): Promise<unknown> {
  return guarded(context, url, wall, () => Promise.reject(thrown)).catch((error) => error)
}

describe("refusals of a site's own", () => {
  test.each<[string, Wall, Outcome, boolean]>([
    ["a status of the site's", { statuses: [403, 412] }, new HttpError("412", at(412)), true],
    ["403 where it is one", { statuses: [403] }, new Forbidden("403", at(403)), true],
    ["403 where it is none", {}, new Forbidden("403", at(403)), false],
    ["429 as a wall", { statuses: [429] }, new RateLimited("429", null, at(429)), true],
    ["not found", { statuses: [403] }, new NotFound("404", at(404)), false],
    ["a stalled connection", { stalls: true }, new Timeout("slow", { url }), true],
    ["a slow site", { statuses: [403] }, new Timeout("slow", { url }), false],
  ])("%s", async (_, wall, thrown, isBlocked) => {
    const outcome = await outcomeOf(wall, thrown)
    expect(outcome instanceof Blocked).toBe(isBlocked)
    if (!isBlocked) expect(outcome).toBe(thrown)
  })

  test("an abort passes through", async () => {
    const aborted = AbortSignal.abort(new Error("aborted"))
    const asked = guarded(
      { ...context, signal: aborted } as Context,
      url,
      { statuses: [403] },
      () => Promise.reject(new Forbidden("403", at(403))),
    )
    expect(asked).rejects.toThrow("aborted")
  })
})

describe("a page without its data", () => {
  const page = (html: string): Answer =>
    new HttpAnswer({
      url,
      requestedUrl: url,
      status: 200,
      headers: new Headers({ "content-type": "text/html" }),
      via: "http",
      bytes: new TextEncoder().encode(html),
    })
  const words = `<html><body><h1>Offers</h1>${"<p>Many words of a page.</p>".repeat(100)}</body></html>`

  test.each<[string, string, Wall, unknown]>([
    ["a changed page", words, { sign: /press and hold/i }, Changed],
    ["the site's own sign", `${words}Press and hold`, { sign: /press and hold/i }, Blocked],
    ["a site whose walls have no words", words, { wordless: true }, Blocked],
    [
      "a shell",
      '<body><div id="root"></div><script src="/main.js"></script></body>',
      {},
      EmptyShell,
    ],
  ])("%s", (_, html, wall, kind) => {
    expect(lacking(page(html), "the price", wall)).toBeInstanceOf(kind as typeof Changed)
  })
})
