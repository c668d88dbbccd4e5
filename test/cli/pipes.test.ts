import { afterAll, describe, expect, test } from "bun:test"
import { trawlCommand } from "../trawl.ts"
import { answeredIds, fillings, manyCalls, pipe, type readers, wideSite } from "./pipes.ts"

const site = wideSite()
afterAll(site.stop)
const pipeBytes = 65_536
const urlOf = (line: string): string => JSON.parse(line).url

describe(`${fillings} times what a pipe holds`, () => {
  const run = (format: string, reader: keyof typeof readers) =>
    pipe([...trawlCommand, ...site.words, "--format", format], reader, { env: site.env })

  for (const format of ["json", "jsonl", "csv"]) {
    test(`as ${format}, the same bytes to a reader that sleeps`, async () => {
      const ready = await run(format, "ready")
      const sleeping = await run(format, "sleeping")
      expect([ready.code, sleeping.code]).toEqual([0, 0])
      expect(sleeping.bytes.length).toBe(ready.bytes.length)
      expect(sleeping.bytes.equals(ready.bytes)).toBe(true)
      if (format !== "jsonl") return
      const urls = sleeping.bytes.toString().trimEnd().split("\n").map(urlOf)
      expect(sleeping.bytes.length).toBeGreaterThan(fillings * pipeBytes)
      expect([urls.length, new Set(urls).size]).toEqual([site.items, site.items])
    }, 120_000)
  }

  test("a reader that leaves early is not a failure", async () => {
    expect((await run("jsonl", "leaving")).code).toBe(0)
  }, 120_000)

  test("a full disk is reported in one sentence", async () => {
    const child = Bun.spawn([...trawlCommand, ...site.words, "--format", "jsonl"], {
      env: { PATH: process.env.PATH, ...site.env },
      stdout: Bun.file("/dev/full"),
      stderr: "pipe",
    })
    const reported = await new Response(child.stderr).text()
    expect(await child.exited).not.toBe(0)
    expect(reported).toContain("The output cannot be written: ENOSPC")
  }, 120_000)

  test("a file that cannot be written ends the run, also if Chrome was used", async () => {
    const path = "/dev/null/items.csv"
    const child = Bun.spawn([...trawlCommand, ...site.words, "--output", path], {
      env: { PATH: process.env.PATH, ...site.env },
      stderr: "pipe",
    })
    expect(await child.exited).toBe(2)
    expect(await new Response(child.stderr).text()).toContain(`${path} cannot be written`)
  }, 60_000)
})

describe("MCP over stdio", () => {
  const calls = 40
  const ids = [...Array(calls + 1).keys()]

  for (const reader of ["ready", "sleeping"] as const) {
    test(`every response comes once to a reader that is ${reader}`, async () => {
      const piped = await pipe([...trawlCommand, "mcp"], reader, { stdin: manyCalls(calls) })
      expect(piped.bytes.length).toBeGreaterThan(2_000_000)
      expect(answeredIds(piped)).toEqual(ids)
      expect(piped.code).toBe(0)
    }, 120_000)
  }

  test("ends when its reader closes", async () => {
    const { code } = await pipe([...trawlCommand, "mcp"], "leaving", { stdin: manyCalls(calls) })
    expect(code).toBe(0)
  }, 120_000)
})
