import { afterAll, beforeAll, expect, test } from "bun:test"
import { connect } from "node:net"
import { passOverRest } from "../../../src/api/http/unread-body.ts"
import { root, TestApp } from "../app.ts"

const mebibyte = 1024 * 1024

/**
 * Sends a request with a body that the server does not read. Returns how much of it was accepted.
 */
function callWith(headers: Record<string, string>, mebibytes: number, ends = true) {
  const taken = { mebibytes: 0, isProvidedUp: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(control) {
        if (taken.mebibytes < mebibytes) {
          taken.mebibytes++
          return control.enqueue(new Uint8Array(mebibyte))
        }
        if (ends) control.close()
      },
      cancel() {
        taken.isProvidedUp = true
      },
    },
    { highWaterMark: 0 },
  )
  return { request: new Request(root, { method: "POST", headers, body }), taken }
}

const length = (mebibytes: number) => ({ "content-length": String(mebibytes * mebibyte) })
const refusal = (headers: Record<string, string> = {}) => new Response("", { status: 405, headers })

test("an unread body is skipped if the connection ends with the response", async () => {
  const byCaller = callWith({ ...length(3), connection: "close" }, 3)
  await passOverRest(byCaller.request, refusal())
  const byResponse = callWith(length(3), 3)
  await passOverRest(byResponse.request, refusal({ connection: "close" }))
  const stays = callWith(length(3), 3)
  const response = refusal()
  await passOverRest(stays.request, response)
  const chunked = callWith({}, 3)
  await passOverRest(chunked.request, response)
  const calls = [byCaller, byResponse, stays, chunked]
  expect(calls.map(({ taken }) => taken.mebibytes)).toEqual([3, 3, 0, 3])
  expect(response.headers.has("connection")).toBe(false)
})

test("up to a size and a time limit", async () => {
  for (const headers of [{}, length(1_000_000), { ...length(1), connection: "close" }]) {
    const { request, taken } = callWith(headers, 1_000_000)
    const response = refusal()
    await passOverRest(request, response)
    expect(taken.mebibytes).toBeWithin(64, 70)
    expect(taken.isProvidedUp).toBe(true)
    expect(response.headers.get("connection")).toBe("close")
  }
  const slow = callWith({ connection: "close" }, 1, false)
  await passOverRest(slow.request, refusal(), 20)
  expect(slow.taken).toEqual({ mebibytes: 1, isProvidedUp: true })
})

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open()
  app.app.listen({ port: 0, hostname: "127.0.0.1" })
})
afterAll(async () => {
  await app.app.server!.stop(true)
  await app.close()
})

const half = "x".repeat(mebibyte)
const requests = [
  ["405, of another method", "/healthz", 405],
  ["404", "/nope", 404],
  ["401", "/api/v1/scrapers/words-scraper/runs", 401],
  ["413", "/api/agent/scrape", 413],
  ["413, of unknown length", "/api/agent/scrape", 413],
] as const

for (const [name, path, status] of requests) {
  test(`the response waits for a body that it does not need: ${name}`, async () => {
    const { port } = app.app.server!
    const isChunked = name.includes("unknown")
    const part = isChunked ? `100000\r\n${half}\r\n` : half
    const socket = connect({ port: port!, host: "127.0.0.1" })
    let reported = ""
    const ended = Promise.withResolvers<void>()
    socket.on("data", (data) => {
      reported += data
    })
    socket.on("end", ended.resolve).on("error", ended.reject)
    const length = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${2 * mebibyte}`
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/json\r\n${length}\r\n\r\n`
    await new Promise<void>((resolve) => socket.write(`${head}${part}`, () => resolve()))
    // The server sends all responses to earlier bytes before it answers this.
    for (let call = 0; call < 3; call++) await fetch(`http://127.0.0.1:${port}/healthz`)
    expect(reported).toBe("")
    socket.write(isChunked ? `${part}0\r\n\r\n` : part)
    await ended.promise
    expect(reported).toStartWith(`HTTP/1.1 ${status} `)
  })
}
