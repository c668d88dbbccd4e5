import { afterAll, beforeAll, expect, mock, test } from "bun:test"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import createClient from "openapi-fetch"
import { testOfAll } from "../../samples.ts"
import { TestApp } from "../app.ts"

/**
 * Clients that others generate from the API's document: types by openapi-typescript, requests by
 * openapi-fetch.
 */
let app: TestApp
beforeAll(async () => {
  app = await TestApp.open()
})
afterAll(() => app.close())

const root = join(import.meta.dir, "../../..")

const use = `
import createClient from "openapi-fetch"
import type { paths } from "./api"

const client = createClient<paths>({ baseUrl: "http://trawl.test" })
export async function read() {
  const { data, error } = await client.POST("/api/v1/scrapers/{slug}/runs", {
    params: { path: { slug: "words-scraper" }, query: { waitForFinish: 20 } },
    body: { words: ["one"] },
  })
  const status: string | undefined = data?.status
  const message: string | undefined = error?.error.message
  // @ts-expect-error the document has no such field
  data?.state
  // @ts-expect-error nor such a path
  await client.GET("/api/v1/nothing")
  return { status, message }
}
`

testOfAll(
  "openapi-typescript generates types that a client compiles with",
  async () => {
    // It needs the compiler's older interface, which TypeScript 7 lacks.
    const compiler = require("typescript5")
    mock.module("typescript", () => ({ ...compiler, default: compiler }))
    const { default: openapiTs, astToString } = await import("openapi-typescript")
    const { body: document } = await app.get("/openapi.json")
    const types = astToString(await openapiTs(document))
    const folder = mkdtempSync(join(tmpdir(), "trawl-client-"))
    try {
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
      writeFileSync(join(folder, "api.d.ts"), types)
      writeFileSync(join(folder, "use.ts"), use)
      const options =
        "--noEmit --strict --skipLibCheck --module esnext --moduleResolution bundler --types"
      const { stdout, exitCode } = Bun.spawnSync(
        [
          process.execPath,
          join(root, "node_modules/typescript/bin/tsc"),
          ...options.split(" "),
          "",
          "use.ts",
        ],
        { cwd: folder },
      )
      expect(stdout.toString()).toBe("")
      expect(exitCode).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
  120_000,
)

test("and its calls succeed", async () => {
  const { key } = await app.account()
  // biome-ignore lint/suspicious/noExplicitAny: the types are the other test's
  const client = createClient<any>({
    baseUrl: "http://trawl.test",
    headers: { authorization: `Bearer ${key}` },
    fetch: (request: Request) => app.app.handle(request),
  })
  const { data } = await client.POST("/api/v1/scrapers/{slug}/runs", {
    params: { path: { slug: "words-scraper" }, query: { waitForFinish: 20 } },
    body: { words: ["one"] },
  })
  expect(data).toMatchObject({ status: "succeeded", itemCount: 1 })
  const { error } = await client.GET("/api/v1/runs/{runId}", {
    params: { path: { runId: "run_none" } },
  })
  expect(error).toMatchObject({ error: { status: 404 } })
})
