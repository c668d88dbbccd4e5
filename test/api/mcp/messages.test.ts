import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 1000 })
})
afterAll(() => app.close())

const headers = { accept: "application/json, text/event-stream" }
const send = (body: unknown, path = "/api/mcp", more = {}) =>
  app.post(path, { body, headers: { ...headers, ...more } })

describe("an unusable message gets JSON-RPC's code", () => {
  const call = (params?: unknown) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params })
  const cases: [body: unknown, status: number, code: number, text: string][] = [
    ["{", 400, -32700, "not valid JSON: line 1, column 2"],
    ["1", 400, -32600, "must be a JSON object"],
    ["[]", 400, -32600, "must be a JSON object"],
    [{ jsonrpc: "1.0", id: 1, method: "ping" }, 400, -32600, '"jsonrpc" must be "2.0"'],
    [{ id: 1, method: "ping" }, 400, -32600, '"jsonrpc" must be "2.0"'],
    [{ jsonrpc: "2.0", id: null, method: "ping" }, 400, -32600, '"id" must be'],
    [{ jsonrpc: "2.0", id: 1, method: 5 }, 400, -32600, '"method" must be'],
    [call(), 200, -32602, '"params" must be a JSON object'],
    [call({ name: "words-scraper", arguments: "x" }), 200, -32602, '"params.arguments"'],
    [{ jsonrpc: "2.0", id: 1, method: "resources/read" }, 200, -32602, '"params"'],
    [
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 5 } },
      200,
      -32602,
      '"params.protocolVersion" must be a text',
    ],
    [{ jsonrpc: "2.0", id: 1, method: "nope" }, 200, -32601, "Method not found"],
  ]
  test.each(cases)("%j", async (body, status, code, text) => {
    const response = await send(body)
    expect([response.status, response.body.error.code]).toEqual([status, code])
    expect(response.body.error.message).toContain(text)
    expect(response.body.error.message).not.toMatch(/[{[]\s*"/)
  })
})

test("methods other than POST are refused with Allow", async () => {
  for (const method of ["GET", "PUT", "DELETE"]) {
    const { status, headers } = await app.call(method, "/api/mcp")
    expect([status, headers.get("allow")]).toEqual([405, "POST"])
  }
})

test("an invalid key is refused at once, by any method of the protocol", async () => {
  for (const authorization of ["Bearer trawl_live_nope", "Basic x", "nope"]) {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }
    const response = await send(list, "/api/mcp", { authorization })
    expect(response.status).toBe(401)
    expect(response.headers.get("www-authenticate")).toContain("Bearer")
  }
})

test("a cursor has one spelling, and no other page is cached", async () => {
  const list = (cursor: string) =>
    send({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { cursor } }, "/api/mcp?pageSize=3")
  expect((await list("0")).body.result.nextCursor).toBe("3")
  expect((await list("3")).body.result.tools.length).toBeGreaterThan(0)
  for (const cursor of ["00", "03", "+3", "3.0", "1", "", " 3", "1e0", "999999", "-3"]) {
    expect((await list(cursor)).body.error.code).toBe(-32602)
  }
})

test("calls are limited as on other surfaces", async () => {
  const limited = await TestApp.open({ rateLimit: 3 })
  const statuses: number[] = []
  for (const path of [
    "/api/mcp",
    "/console/tools",
    "/openapi.json",
    "/api/mcp",
    "/console/which?url=a.b",
  ]) {
    const { status } = path.startsWith("/api")
      ? await limited.post(path, { body: { jsonrpc: "2.0", id: 1, method: "tools/list" }, headers })
      : await limited.get(path)
    statuses.push(status)
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429])
  await limited.close()
})
