import { afterAll, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { newKey, signedTables } from "../../../../scripts/release/sign-upstreams.ts"
import { upstreamTable } from "../../../../src/catalogue/kit/index.ts"
import {
  RefusedTables,
  readPublished,
} from "../../../../src/engine/fetch/site-constants/published.ts"
import {
  applyTables,
  rollBack,
} from "../../../../src/engine/fetch/site-constants/published-files.ts"
import { publisherKey } from "../../../../src/engine/fetch/site-constants/publisher-key.ts"
import { Upstreams } from "../../../../src/engine/fetch/site-constants/site-constants.ts"
import { watchUpstreams } from "../../../../src/engine/fetch/site-constants/watch.ts"

const shop = upstreamTable("shop", "2026-09", { queryId: "old", itemAt: { name: [0, 1] } })
const now = Date.parse("2026-11-24T12:00:00Z")
const { publicKey, privateKey } = newKey()
const check = { publicKey, now, heldSequence: 4, tables: [shop] }

const signed = (parts: Partial<Parameters<typeof signedTables>[0]> = {}) =>
  signedTables({
    sequence: 5,
    issuedAt: new Date(now - 3_600_000),
    days: 60,
    privateKey,
    tables: { shop: { asOf: "2026-11-20", values: { queryId: "new" } } },
    ...parts,
  })

describe("a published file", () => {
  test("is accepted if it is newer, signed and current", () => {
    const { sequence, tables } = readPublished(signed(), check)
    expect(sequence).toBe(5)
    expect(tables.shop!.values).toEqual({ queryId: "new" })
  })

  const changed = () => {
    const envelope = JSON.parse(signed())
    return JSON.stringify({ ...envelope, payload: envelope.payload.replace("new", "bad") })
  }
  const unsigned = () => JSON.stringify({ payload: JSON.parse(signed()).payload })
  test.each([
    ["changed on the way", changed(), "signature does not match"],
    ["signed by another key", signed({ privateKey: newKey().privateKey }), "signature does not"],
    ["without a signature", unsigned(), "not signed"],
    ["cut off", signed().slice(0, 200), "not valid JSON"],
    ["older than the one in force", signed({ sequence: 3 }), "an older file is never applied"],
    ["expired", signed({ issuedAt: new Date(now - 61 * 86_400_000) }), "The file expired at"],
    ["of a day to come", signed({ issuedAt: new Date(now + 2 * 86_400_000) }), "check the clock"],
    [
      "of another kind of value",
      signed({ tables: { shop: { asOf: "2026-11-20", values: { queryId: 7 } } } }),
      "shop.queryId must be a text, not a number.",
    ],
    [
      "of a value that this version does not know",
      signed({ tables: { shop: { asOf: "2026-11-20", values: { other: "x" } } } }),
      "shop.other is unknown",
    ],
    ["that is a page", "<!doctype html><title>Not found</title>", "not valid JSON"],
  ])("%s is refused with a message", (_, text, sentence) => {
    expect(() => readPublished(text, check)).toThrow(RefusedTables)
    expect(() => readPublished(text, check)).toThrow(sentence)
  })

  test("with the same number is not older", () => {
    expect(readPublished(signed(), { ...check, heldSequence: 5 }).sequence).toBe(5)
  })

  test("is verified by the built-in key only", () => {
    expect(() => readPublished(signed(), { ...check, publicKey: publisherKey })).toThrow(
      "signature does not match",
    )
    expect(Buffer.from(publisherKey, "base64")).toHaveLength(44)
  })
})

describe("published tables in a data folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "published-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  let at = 0
  const upstreams = new Upstreams({
    env: {},
    path: join(folder, "upstreams.json"),
    now: () => (at += 5000),
  })
  const inForce = () => upstreams.table(shop)

  test("apply without a restart, below the operator's own values", async () => {
    expect(inForce().values.queryId).toBe("old")
    applyTables(folder, readPublished(signed(), check))
    expect(inForce()).toMatchObject({
      values: { queryId: "new", itemAt: { name: [0, 1] } },
      origins: { queryId: "published" },
    })
    expect(upstreams.publishedSequence).toBe(5)
    const logged: string[] = []
    void watchUpstreams(upstreams, [shop], (_, message) => logged.push(message)).stop()
    expect(logged).toEqual([
      'The table of upstream "shop" takes queryId from the published tables.',
    ])
    await Bun.write(join(folder, "upstreams.json"), '{"shop": {"queryId": "own"}}')
    expect(inForce()).toMatchObject({ values: { queryId: "own" }, origins: { queryId: "file" } })
    rmSync(join(folder, "upstreams.json"))
  })

  test("do not replace values of a newer version", () => {
    expect(upstreams.table({ ...shop, site: "later" }).values.queryId).toBe("old")
    const newer = new Upstreams({ env: {}, path: join(folder, "upstreams.json"), now: () => 1 })
    expect(newer.table({ ...shop, asOf: "2026-12" }).values.queryId).toBe("old")
  })

  test("can be rolled back, and are not applied again from the same file", () => {
    applyTables(
      folder,
      readPublished(
        signed({
          sequence: 6,
          tables: { shop: { asOf: "2026-11-21", values: { queryId: "worse" } } },
        }),
        { ...check, heldSequence: upstreams.publishedSequence },
      ),
    )
    expect(inForce().values.queryId).toBe("worse")
    rollBack(folder)
    expect(inForce().values.queryId).toBe("new")
    // The next one is number 7; number 6 is known.
    expect(upstreams.publishedSequence).toBe(6)
    rollBack(folder)
    expect(inForce().values.queryId).toBe("old")
  })
})
