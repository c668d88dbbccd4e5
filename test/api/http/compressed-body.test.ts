import { expect, test } from "bun:test"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { readText } from "../../../src/api/http/body.ts"

const sent = (body: Uint8Array, encoding: string) =>
  new Request("http://trawl.test/", {
    method: "POST",
    headers: { "content-encoding": encoding },
    body: body as Uint8Array<ArrayBuffer>,
  })

test("compressed bodies are read, up to the same size as others", async () => {
  const text = JSON.stringify({ word: "ä".repeat(2000) })
  expect(await readText(sent(gzipSync(text), "gzip"))).toBe(text)
  expect(await readText(sent(brotliCompressSync(text), "br"))).toBe(text)
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  await expect(readText(sent(bomb, "gzip"))).rejects.toMatchObject({ status: 413 })
  await expect(readText(sent(Buffer.from(text), "gzip"))).rejects.toMatchObject({ status: 400 })
  await expect(readText(sent(Buffer.from(text), "zip"))).rejects.toMatchObject({ status: 415 })
})
