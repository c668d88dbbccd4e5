import { afterAll, beforeAll, expect, test } from "bun:test"
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import { codingFor, packStream } from "../../../src/api/http/coding/coding.ts"
import { compressed } from "../../../src/api/http/compress.ts"
import { root, TestApp } from "../app.ts"

const unpack = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }

const choices: [header: string | null, coding: string | undefined][] = [
  [null, undefined],
  ["", undefined],
  ["identity", undefined],
  ["gzip, deflate, br, zstd", "zstd"],
  ["gzip, deflate, br", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP;Q=1", "gzip"],
  ["x-gzip", "gzip"],
  ["zstd;q=0.5, br;q=0.9, gzip;q=0.8", "br"],
  ["zstd;q=0, *", "br"],
  ["*;q=0.1", "zstd"],
  ["*;q=0", undefined],
  ["gzip;q=0, br;q=0", undefined],
  ["gzip;q=0.5, identity", undefined],
  ["gzip;q=often", undefined],
  ["gzip ; q=0.3 , identity;q=0.2", "gzip"],
]
test.each(choices)("Accept-Encoding %p: %p", (header, coding) => {
  expect(codingFor(header)).toBe(coding as never)
})

const long = JSON.stringify({ words: "Some words. ".repeat(500) })
const json = { "content-type": "application/json;charset=utf-8" }

/** Returns the compressed response for a client that accepts gzip, and its headers. */
const answers: [what: string, response: () => Response, packed: boolean, varies: boolean][] = [
  ["JSON", () => new Response(long, { headers: json }), true, true],
  ["a refusal", () => new Response(long, { status: 404, headers: json }), true, true],
  ["CSV", () => new Response(long, { headers: { "content-type": "text/csv" } }), true, true],
  ["a tiny body", () => new Response("{}", { headers: json }), false, true],
  ["no body", () => new Response(null, { status: 204, headers: json }), false, true],
  [
    "events",
    () => new Response(long, { headers: { "content-type": "text/event-stream" } }),
    false,
    false,
  ],
  [
    "an image",
    () => new Response(long, { headers: { "content-type": "image/png" } }),
    false,
    false,
  ],
  [
    "a secret",
    () => new Response(long, { headers: { ...json, "cache-control": "no-store" } }),
    false,
    false,
  ],
]
test.each(answers)("compresses or leaves %s", async (_, response, packed, varies) => {
  const request = new Request(root, { headers: { "accept-encoding": "gzip" } })
  const sent = await compressed(request, response(), () => {})
  expect(sent.status).toBe(response().status)
  expect(sent.headers.get("vary")).toBe(varies ? "accept-encoding" : null)
  expect(sent.headers.get("content-encoding")).toBe(packed ? "gzip" : null)
  const bytes = await sent.bytes()
  expect((packed ? gunzipSync(bytes) : Buffer.from(bytes)).toString()).toBe(await response().text())
})

test("leaves compressed bodies, also for clients that ask for another encoding", async () => {
  const request = new Request(root, { headers: { "accept-encoding": "gzip, br" } })
  const headers = { ...json, "content-encoding": "br" }
  const sent = await compressed(request, new Response("xyz", { headers }), () => {})
  expect(sent.headers.get("content-encoding")).toBe("br")
  expect(sent.headers.get("vary")).toBe("accept-encoding")
  expect(await sent.text()).toBe("xyz")
})

test("HEAD is answered without a body, with Vary", async () => {
  const request = new Request(root, { method: "HEAD", headers: { "accept-encoding": "gzip" } })
  const sent = await compressed(request, new Response(null, { headers: json }), () => {})
  expect(sent.headers.get("vary")).toBe("accept-encoding")
  expect(sent.headers.get("content-encoding")).toBeNull()
})

for (const coding of ["zstd", "br", "gzip"] as const) {
  test(`${coding}: what a stream has sent so far can be read`, async () => {
    const more = Promise.withResolvers<void>()
    async function* chunks() {
      yield Buffer.from("the first part, ")
      await more.promise
      yield Buffer.from("and the rest")
    }
    const packed = packStream(chunks(), coding)
    const first = await packed.next()
    const got: Uint8Array[] = [first.value!]
    more.resolve()
    for await (const piece of packed) got.push(piece)
    expect(got.length).toBeGreaterThan(1)
    expect(unpack[coding](Buffer.concat(got)).toString()).toBe("the first part, and the rest")
  })

  test(`${coding}: a long stream is compressed whole, and read no faster than it is consumed`, async () => {
    let provided = 0
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (provided === 200) return controller.close()
          provided++
          controller.enqueue(Buffer.from(`${provided} ${long}\n`))
        },
      },
      { highWaterMark: 0 },
    )
    const request = new Request(root, { headers: { "accept-encoding": coding } })
    const sent = await compressed(request, new Response(body, { headers: json }), () => {})
    expect(sent.headers.get("content-encoding")).toBe(coding)
    await Bun.sleep(20)
    expect(provided).toBeLessThan(150)
    const text = unpack[coding](await sent.bytes()).toString()
    expect(text.split("\n")).toHaveLength(201)
    expect(text.startsWith(`1 ${long}\n2 `)).toBe(true)
  })
}

test("an error of the stream reaches its reader, and an abandoned stream is cancelled", async () => {
  const request = new Request(root, { headers: { "accept-encoding": "gzip" } })
  const broken: unknown[] = []
  const fails = new ReadableStream({
    async pull(controller) {
      await Bun.sleep(5)
      controller.error(new Error("the store is closed"))
    },
  })
  const cut = await compressed(request, new Response(fails, { headers: json }), (error) =>
    broken.push(error),
  )
  expect(
    await cut.text().then(
      () => "whole",
      () => "cut",
    ),
  ).toBe("cut")
  expect(String(broken[0])).toContain("the store is closed")

  let isLeft = false
  const endless = new ReadableStream({
    async pull(controller) {
      await Bun.sleep(1)
      controller.enqueue(Buffer.from(long))
    },
    cancel() {
      isLeft = true
    },
  })
  const left = await compressed(request, new Response(endless, { headers: json }), () => {})
  const reader = left.body!.getReader()
  await reader.read()
  await reader.cancel()
  for (let tries = 0; tries < 500 && !isLeft; tries++) await Bun.sleep(2)
  expect(isLeft).toBe(true)
})

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open()
})
afterAll(() => app.close())

const get = (path: string, coding: string) =>
  app.app.handle(new Request(root + path, { headers: { "accept-encoding": coding } }))

test.each(["br", "zstd", "gzip"] as const)(
  "the API compresses its responses: %s",
  async (coding) => {
    const plain = await get("/openapi.json", "identity").then((response) => response.text())
    const response = await get("/openapi.json", coding)
    expect(response.headers.get("content-encoding")).toBe(coding)
    expect(response.headers.get("x-request-id")).toBeTruthy()
    const bytes = await response.bytes()
    expect(bytes.length).toBeLessThan(plain.length / 3)
    expect(unpack[coding](bytes).toString()).toBe(plain)
  },
)
