import { expect, test } from "bun:test"
import "../../../../src/catalogue/kit/index.ts"
import { decodeError, encodeError } from "../../../../src/base/error-crossing.ts"
import * as outcomes from "../../../../src/catalogue/kit/core/errors.ts"
import { consequences } from "../../../../src/engine/net/http/consequences.ts"

const made: outcomes.ScrapeError[] = [
  new outcomes.BadInput("x"),
  new outcomes.NotFound("x", { code: "suspended", url: "http://a/", statusCode: 404 }),
  new outcomes.Forbidden("x"),
  new outcomes.Blocked("x", "Cloudflare", { statusCode: 403 }),
  new outcomes.EmptyShell("x"),
  new outcomes.RateLimited("x", 30),
  new outcomes.Timeout("x"),
  new outcomes.Unreachable("x", "dns"),
  new outcomes.TooManyRedirects("x"),
  new outcomes.EgressDenied("x"),
  new outcomes.RobotsDisallowed("x"),
  new outcomes.TooLarge("x"),
  new outcomes.UnsupportedContent("x"),
  new outcomes.Changed("x"),
  new outcomes.StaleKey("x", "shop", "query"),
  new outcomes.UpstreamError("x"),
  new outcomes.HttpError("x"),
  new outcomes.OutOfCredit("x"),
  new outcomes.Aborted("x"),
]

test("every class of outcome has its consequence, and its row a class", () => {
  expect(Object.keys(consequences).sort()).toEqual(made.map((one) => one.kind).sort())
  const classes = Object.values(outcomes).filter(
    (one) => typeof one === "function" && one.prototype instanceof outcomes.ScrapeError,
  )
  expect(classes.map((one) => one.name).sort()).toEqual(made.map((one) => one.kind).sort())
})

test("an outcome is the same on the other side of a thread", () => {
  for (const scrapeError of made) {
    const back = decodeError(structuredClone(encodeError(scrapeError)))
    expect(back.constructor).toBe(scrapeError.constructor)
    expect({ ...back, message: back.message }).toEqual({
      ...scrapeError,
      message: scrapeError.message,
    })
  }
})

test("only a challenge or an app shell is retried with another fetch method", () => {
  const climbing = Object.keys(consequences).filter((kind) => consequences[kind]!.escalates)
  expect(climbing.sort()).toEqual(["Blocked", "EmptyShell"])
})
