import { expect, test } from "bun:test"
import { github, githubObject, repositoryPath } from "../../../src/catalogue/github/github.ts"
import type { Exchange } from "../../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../../src/engine/fetch/replay/environment.ts"
import { contextIn } from "../../context.ts"

const url = "https://api.github.com/repos/acme/tides"
const response = (status: number, headers: Record<string, string>, body = "{}"): Exchange => ({
  method: "GET",
  url,
  status,
  headers,
  bytes: new TextEncoder().encode(body),
})

function contextFor(exchanges: Exchange[], env: Record<string, string> = {}) {
  const log: string[] = []
  const clock = "2024-05-01T09:30:00Z"
  const recorded = { folder: "", slug: "", case: "", input: {}, clock, env, exchanges, expect: [] }
  const environment = replayEnvironment(recorded)
  const ctx = contextIn(environment, (line) => log.push(line.message))
  return { ctx, log }
}

test("an unchanged object is read from memory by its ETag", async () => {
  const { ctx } = contextFor(
    [response(200, { etag: '"one"' }, '{"id":42}'), response(304, {}, "")],
    {
      GITHUB_TOKEN: "secret",
    },
  )
  expect((await githubObject("/repos/acme/tides", ctx)).object).toEqual({ id: 42 })
  expect((await githubObject("/repos/acme/tides", ctx)).object).toEqual({ id: 42 })
})

test("without a token nothing is stored, since GitHub counts a 304 like any other response", async () => {
  const { ctx } = contextFor([response(200, { etag: '"one"' }, '{"id":42}')])
  await githubObject("/repos/acme/tides", ctx)
  expect(await ctx.memory.get("etag /repos/acme/tides")).toBeUndefined()
})

test("a rate limit that ends soon is waited for", async () => {
  const message = '{"message":"You have exceeded a secondary rate limit."}'
  const { ctx, log } = contextFor([
    response(403, { "retry-after": "30" }, message),
    response(200, {}, '{"id":42}'),
  ])
  expect((await github("/repos/acme/tides", ctx)).json<unknown>()).toEqual({ id: 42 })
  expect(log).toEqual(["Waiting 30 s: GitHub limits the rate of requests."])
  expect(ctx.now().toISOString()).toBe("2024-05-01T09:30:30.000Z")
})

test("a limit that continues fails the target, and nothing more is requested", async () => {
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1714557600" }
  const body = '{"message":"API rate limit exceeded for 192.0.2.7. (But here\'s the good news.)"}'
  const { ctx } = contextFor([response(403, headers, body)])
  const first = await github("/repos/acme/tides", ctx).catch((error) => error)
  expect(first).toMatchObject({ code: "rate_limited", retryAfter: 1800, statusCode: 403 })
  expect(first.message).toContain("(API rate limit exceeded)")
  const second = await github("/repos/acme/unrecorded", ctx).catch((error) => error)
  expect(second).toMatchObject({ code: "rate_limited", statusCode: null })
})

test("a 429 with a distant reset is not retried", async () => {
  const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1714557600" }
  const { ctx, log } = contextFor([response(429, headers, "{}"), response(200, {}, "{}")])
  expect(await github("/repos/acme/tides", ctx).catch((error) => error.code)).toBe("rate_limited")
  expect(log).toEqual([])
})

test.each([
  [401, '{"message":"Bad credentials"}', "forbidden", "GITHUB_TOKEN"],
  [404, '{"message":"Not Found"}', "not_found", "/repos/acme/tides"],
  [
    422,
    '{"message":"Validation Failed","errors":[{"message":"q is wrong"}]}',
    "invalid_input",
    "q is wrong",
  ],
  [451, '{"message":"Repository access blocked"}', "forbidden", "access blocked"],
  [403, "<html><title>Just a moment...</title></html>", "blocked", "Cloudflare"],
])("status %i with %s", async (status, body, code, words) => {
  const { ctx } = contextFor([response(status, {}, body)])
  const error = await github("/repos/acme/tides", ctx).catch((caught) => caught)
  expect(error.code).toBe(code)
  expect(error.message).toContain(words)
})

test.each([
  "acme/tides",
  "https://github.com/acme/tides",
  "https://www.github.com/acme/tides/issues?q=1",
  "git@github.com:acme/tides.git",
  "ssh://git@github.com/acme/tides.git",
  "github.com/acme/tides#readme",
])("%s is acme/tides", (input) => {
  expect(repositoryPath(input)).toBe("acme/tides")
})

test.each([
  "acme",
  "acme/",
  "a b/c",
  "acme/tides/issues",
  "https://gitlab.com/acme/tides",
  "acme/..",
])("%s is not a repository", (input) => {
  expect(() => repositoryPath(input)).toThrow("is not a GitHub repository")
})
