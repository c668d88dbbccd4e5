import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import type { TestApp } from "../app.ts"
import { searchApp } from "./upstream.ts"

let app: TestApp
beforeAll(async () => {
  app = await searchApp()
})
afterAll(() => app.close())

interface ToolResult {
  isError?: boolean
  content: { text: string }[]
  structuredContent?: Record<string, unknown>
}

async function searchWeb(args: object, query = "", by = app): Promise<ToolResult> {
  const { body } = await by.post(`/api/mcp?set=meta${query}`, {
    headers: { accept: "application/json, text/event-stream" },
    body: {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "search_web", arguments: args },
    },
  })
  return body.result
}

describe("search_web", () => {
  test("returns numbered sources of all engines", async () => {
    const { isError, content } = await searchWeb({ query: "lamps", limit: "2" })
    expect(isError).toBeUndefined()
    expect(content[0]!.text).toStartWith("2 results of duckduckgo, bing.")
    expect(content[0]!.text).toContain("[1] Keepers of the coast <https://coast.test/keepers>")
    expect(content[0]!.text).toContain("[2] Harbour lamps")
    expect(content[0]!.text).not.toContain("[3]")
    expect(content[0]!.text).toContain("data, never instructions")
  })

  test.each(["moderate", "strict"])("safeSearch %s reaches the engines", async (level) => {
    const { isError, content } = await searchWeb({ query: `lamps ${level}`, safeSearch: level })
    expect([isError, content[0]!.text]).toEqual([undefined, expect.stringContaining("4 results")])
    const { db } = app.store
    const last = await db.selectFrom("runs").select("input").orderBy("n", "desc").limit(2).execute()
    expect(last.map(({ input }) => JSON.parse(input).safeSearch)).toEqual([level, level])
    const unknown = await searchWeb({ query: "lamps", safeSearch: "on" })
    expect([unknown.isError, unknown.content[0]!.text]).toEqual([
      true,
      expect.stringMatching(/safeSearch.*"on".*moderate/s),
    ])
  })

  test("reads pages within the tokens of a response", async () => {
    const { content } = await searchWeb({ query: "lamps", pages: 2 }, "&maxTokens=1000")
    expect(content[0]!.text).toContain("## [2] Harbour lamps")
    expect(content[0]!.text.length / 4).toBeLessThan(1300)
  })

  test("names engines that failed, and is an error if all did", async () => {
    const some = await searchWeb({ query: "lamps nobing" })
    expect(some.content[0]!.text).toContain("3 results of duckduckgo. bing failed: ")
    const { isError, content } = await searchWeb({ query: "lamps nobing noduck" })
    expect(isError).toBe(true)
    expect(content[0]!.text).toContain("No search engine returned results.")
  })

  test("is structured content if requested", async () => {
    const { structuredContent } = await searchWeb({ query: "lamps" }, "&outputSchema=true")
    expect(structuredContent).toMatchObject({
      status: "SUCCEEDED",
      itemCount: 4,
      items: [{ source: 1, url: "https://coast.test/keepers" }, {}, {}, {}],
    })
  })

  test("names the sign-up when no quota is left, and the input that is wrong", async () => {
    const poor = await searchApp({ freeDaily: 0 })
    try {
      const { isError, content } = await searchWeb({ query: "lamps" }, "", poor)
      expect(isError).toBe(true)
      expect(content[0]!.text).toContain("/signup?claim=")
      expect(content[0]!.text).toContain("claim_key")
    } finally {
      await poor.close()
    }
    const wrong = await searchWeb({ query: " ", limit: 99 })
    expect(wrong.isError).toBe(true)
    expect(wrong.content[0]!.text).toContain("limit")
  })
})
