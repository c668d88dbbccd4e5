import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync, brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib"
import { packedSuffix, packing, StoredFile } from "../../../src/api/http/coding/stored-file.ts"
import { root, TestApp } from "../app.ts"

const unpack = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync }
/** All files that a browser loads for it. */
const parts = ["/docs", "/docs/start.js", "/docs/reference.js", "/openapi.json", "/favicon.ico"]
const maxOnTheWire = 1_200_000

let app: TestApp
const folder = mkdtempSync(join(tmpdir(), "trawl-stored-"))
beforeAll(async () => {
  app = await TestApp.open()
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

const get = (path: string, coding: string) =>
  app.app.handle(new Request(root + path, { headers: { "accept-encoding": coding } }))

test.each(["br", "zstd", "gzip, deflate, br, zstd"])(
  "the reference page is small on the wire: %s",
  async (coding) => {
    let sum = 0
    for (const part of parts) {
      const reply = await get(part, coding)
      expect(reply.status).toBe(200)
      sum += (await reply.bytes()).length
    }
    expect(sum).toBeLessThan(maxOnTheWire)
  },
)

const text = "export const word = 'trawl'\n".repeat(1000)
const forms: [stored: string, header: string, coding: "br" | "zstd" | "gzip" | null][] = [
  ["packed", "gzip, deflate, br, zstd", "br"],
  ["packed", "zstd", "zstd"],
  ["packed", "gzip", "gzip"],
  ["packed", "", null],
  ["packed", "br;q=0, identity", null],
  ["plain", "gzip, deflate, br, zstd", "br"],
  ["plain", "", null],
]
test.each(forms)(
  "a file stored %s, requested with %p, is sent as %p",
  async (stored, header, coding) => {
    const path = join(folder, stored === "packed" ? `script.js${packedSuffix}` : "script.js")
    const bytes = Buffer.from(text)
    await Bun.write(
      path,
      stored === "packed" ? brotliCompressSync(bytes, packing(text.length)) : bytes,
    )
    const request = new Request(root, { headers: { "accept-encoding": header } })
    const sent = await new StoredFile(path).response(request, { "content-type": "text/javascript" })
    expect(sent.headers.get("content-encoding")).toBe(coding)
    const got = Buffer.from(await sent.bytes())
    expect((coding ? unpack[coding](got) : got).toString()).toBe(text)
  },
)
