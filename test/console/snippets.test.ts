import { afterAll, beforeAll, expect, test } from "bun:test"

const own = Object.getOwnPropertyDescriptor(globalThis, "document")
beforeAll(() => {
  const document = { documentElement: { dataset: { root: "http://127.0.0.1" } } }
  Object.assign(globalThis, { document })
})
afterAll(() => {
  if (own) Object.defineProperty(globalThis, "document", own)
  else Reflect.deleteProperty(globalThis, "document")
})

const call = {
  path: "/api/v1/scrapers/web-scraper/runs?waitForFinish=60",
  needsKey: true,
  body: { urls: ['https://example.com/"a"'], includeHtml: true, rows: null },
}

test("the JavaScript of a run returns its items", async () => {
  const { snippetsOf } = await import("../../src/console/data/snippets.ts")
  const { JavaScript } = Object.fromEntries(snippetsOf(call)) as Record<string, string>
  const requests: { url: string; method: string; body: unknown }[] = []
  const fetchOnce = async (url: string, { method = "GET", body }: RequestInit = {}) => {
    requests.push({ url, method, body: body && JSON.parse(String(body)) })
    return Response.json(
      method === "POST" ? { datasetItemsUrl: "http://127.0.0.1/items" } : { items: [{ n: 1 }] },
    )
  }
  const run = new Function("fetch", `return (async () => {\n${JavaScript}\nreturn items })()`)
  expect(await run(fetchOnce)).toEqual([{ n: 1 }])
  expect(requests.map(({ method, body }) => [method, body])).toEqual([
    ["POST", call.body],
    ["GET", undefined],
  ])
})

test("the Python of a run has Python literals and reads the items", async () => {
  const { snippetsOf } = await import("../../src/console/data/snippets.ts")
  const { Python } = Object.fromEntries(snippetsOf(call)) as Record<string, string>
  expect(Python).toContain(
    String.raw`json={"urls": ["https://example.com/\"a\""], "includeHtml": True, "rows": None},`,
  )
  expect(Python).toContain('items = requests.get(run["datasetItemsUrl"]')
})
