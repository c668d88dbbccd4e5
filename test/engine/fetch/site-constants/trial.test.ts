import { afterEach, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { newKey, signedTables } from "../../../../scripts/release/sign-upstreams.ts"
import { upstreamTable } from "../../../../src/catalogue/kit/index.ts"
import {
  publishedName,
  RefusedTables,
} from "../../../../src/engine/fetch/site-constants/published.ts"
import {
  applyTables,
  heldTables,
} from "../../../../src/engine/fetch/site-constants/published-files.ts"
import { type Probes, TablesTrial } from "../../../../src/engine/fetch/site-constants/trial.ts"
import { applyPublished, publishedAt } from "../../../../src/engine/fetch/site-constants/update.ts"
import { EgressFilter } from "../../../../src/engine/net/egress/filter.ts"
import { LiveTransport } from "../../../../src/engine/net/http/live.ts"
import type { Verdict } from "../../../../src/store/health/verdicts.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

const published = (sequence: number, queryId: string) => ({
  ...{ format: 1, sequence, issuedAt: "2026-11-24T12:00:00Z", expiresAt: "2027-01-24T12:00:00Z" },
  tables: { shop: { asOf: "2026-11-20", values: { queryId } } },
})

function trialOf(states: Record<string, Verdict>, update?: () => Promise<string>) {
  const dataDir = mkdtempSync(join(tmpdir(), "trial-"))
  folders.push(dataDir)
  applyTables(dataDir, published(4, "old"))
  const requested: string[] = []
  const stated: string[] = []
  const clock = { now: 0 }
  const probes: Probes = {
    stateOf: (slug) => states[slug]!,
    check(slugs) {
      requested.push(...slugs)
      return [...slugs]
    },
  }
  const trial = new TablesTrial({
    dataDir,
    usersOf: (site) => (site === "shop" ? Object.keys(states) : []),
    ...(update && { update }),
    log: (level, message) => stated.push(`${level}: ${message}`),
    now: () => clock.now,
  })
  const held = () => heldTables(join(dataDir, publishedName))
  return { trial, probes, requested, stated, clock, dataDir, held }
}

describe("published tables on trial", () => {
  test("are rolled back if a scraper that worked is broken since", async () => {
    const at = trialOf({ one: "works", two: "works", three: "broken" })
    await at.trial.look(at.probes)
    expect(at.requested).toEqual([])
    applyTables(at.dataDir, published(5, "new"))
    await at.trial.look(at.probes)
    expect(at.requested).toEqual(["one", "two", "three"])
    at.trial.note("one", "works", at.probes)
    at.trial.note("three", "broken", at.probes)
    expect(at.held()!.tables.shop!.values).toEqual({ queryId: "new" })
    at.trial.note("two", "broken", at.probes)
    expect(at.held()).toMatchObject({
      sequence: 5,
      tables: { shop: { values: { queryId: "old" } } },
    })
    expect(at.stated).toEqual([
      expect.stringContaining("number 5 were rolled back, because two broke"),
    ])
    expect(at.requested.slice(3)).toEqual(["two"])
    await at.trial.look(at.probes)
    expect(at.requested.length).toBe(4)
  })

  test.each([["works"], ["blocked"], ["unknown"]] as const)("stay with %s", async (verdict) => {
    const at = trialOf({ one: "works" })
    applyTables(at.dataDir, published(5, "new"))
    await at.trial.look(at.probes)
    at.trial.note("one", verdict, at.probes)
    expect(at.held()!.tables.shop!.values).toEqual({ queryId: "new" })
    expect(at.stated).toEqual([])
  })

  test("are fetched once a day, and after six hours if that failed", async () => {
    let fails = false
    let count = 0
    const at = trialOf({ one: "works" }, async () => {
      count++
      if (fails) throw new RefusedTables("It expired.")
      return "there is nothing newer."
    })
    const lookAfter = (hours: number) => {
      at.clock.now += hours * 3_600_000
      return at.trial.look(at.probes)
    }
    await lookAfter(0)
    await lookAfter(23)
    expect(count).toBe(1)
    fails = true
    await lookAfter(1)
    await lookAfter(5)
    expect(count).toBe(2)
    await lookAfter(1)
    expect(count).toBe(3)
    expect(at.stated.at(-1)).toBe("warn: Newer site constants are refused. It expired.")
  })
})

describe("a fetched file", () => {
  const { publicKey, privateKey } = newKey()
  const shop = upstreamTable("shop", "2026-09", { queryId: "old" })
  const text = signedTables({
    ...{ sequence: 9, issuedAt: new Date(), days: 30, privateKey },
    tables: { shop: { asOf: "2030-01", values: { queryId: "new" } } },
  })

  test("is read after redirects, checked and applied", async () => {
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch({ url }) {
        const { pathname } = new URL(url)
        if (pathname === "/latest") return Response.redirect("/file", 302)
        if (pathname === "/loop") return Response.redirect("/loop", 302)
        return pathname === "/file" ? new Response(text) : new Response("", { status: 404 })
      },
    })
    try {
      const root = `http://127.0.0.1:${server.port}`
      const transport = new LiveTransport(new EgressFilter([`127.0.0.1:${server.port}`]))
      const fetched = (path: string) =>
        publishedAt(`${root}${path}`, transport, AbortSignal.timeout(10_000))
      const { dataDir, held } = trialOf({})
      const options = { dataDir, publicKey, tables: [shop], now: Date.now() }
      expect(applyPublished(await fetched("/latest"), options)).toContain("Number 9 is in use")
      expect(held()).toMatchObject({ sequence: 9, tables: { shop: { asOf: "2030-01" } } })
      expect(applyPublished(await fetched("/file"), options)).toContain("has already been applied")
      await expect(fetched("/none")).rejects.toThrow("returned status 404")
      await expect(fetched("/loop")).rejects.toThrow("redirects more than 5 times")
    } finally {
      server.stop(true)
    }
  })
})
