import { expect, test } from "bun:test"
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { readBody } from "../../../../src/engine/net/http/inflate.ts"

/** How a body of 1,000 bytes is read: as a stream, or at once. */
async function reading(headers: Record<string, string>, maxBytes: number) {
  const bytes = new Uint8Array(1000)
  const stream = new Response(bytes).body
  const response = new Response(bytes, { headers })
  let streams = 0
  Object.defineProperty(response, "body", {
    get() {
      streams++
      return stream
    },
  })
  const read = readBody(response, { maxBytes, url: "https://site.example/" })
  const found = await read.then(
    ({ length }) => length,
    ({ code }: { code: string }) => code,
  )
  return { found, isStream: streams > 0 }
}

test("a body with a small Content-Length is read at once", async () => {
  const reported = { "content-length": "1000" }
  expect(await reading(reported, 1000)).toEqual({ found: 1000, isStream: false })
  expect(await reading(reported, 999)).toEqual({ found: "too_large", isStream: true })
})

test("the length in a chunked body is not trusted", async () => {
  const chunked = { "content-length": "10", "transfer-encoding": "chunked" }
  expect(await reading(chunked, 999)).toEqual({ found: "too_large", isStream: true })
  expect(await reading({}, 1000)).toEqual({ found: 1000, isStream: true })
  expect(await reading({ "content-length": "10, 10" }, 999)).toMatchObject({ isStream: true })
})

const lines = Array.from(
  { length: 20_000 },
  (_, line) => `line ${line} of ${(line * 7919) % 10_007}`,
)
const text = Buffer.from(lines.join("\n"))
const packings: [string, (bytes: Buffer) => Buffer<ArrayBuffer>][] = [
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
]
const packed = (bytes: Uint8Array<ArrayBuffer>, name: string) =>
  readBody(new Response(bytes, { headers: { "content-encoding": name } }), {
    maxBytes: 1e7,
    url: "https://site.example/",
  }).then(
    ({ length }) => length,
    ({ code }: { code: string }) => code,
  )

test.each(packings)(
  "a body by %s is complete, or is reported as cut off at any position",
  async (name, pack) => {
    for (const source of [text, Buffer.from("<h1>short</h1>"), Buffer.alloc(300_000, "a")]) {
      const whole = pack(source)
      expect(await packed(whole, name)).toBe(source.length)
      for (const part of [0.05, 0.3, 0.5, 0.95]) {
        const size = Math.max(1, Math.floor(whole.length * part))
        expect(await packed(whole.subarray(0, size), name), `${part}`).toBe("connection")
      }
      expect(await packed(whole.subarray(0, -1), name)).toBe("connection")
    }
    expect(await packed(pack(Buffer.alloc(0)), name)).toBe(0)
  },
)

test("several zstd frames are one body, and skippable ones are left out", async () => {
  const frames = [zstdCompressSync("one "), zstdCompressSync(text)]
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
  expect(await packed(Buffer.concat(frames), "zstd")).toBe(4 + text.length)
  expect(await packed(Buffer.concat([skipped, ...frames]), "zstd")).toBe(4 + text.length)
})
