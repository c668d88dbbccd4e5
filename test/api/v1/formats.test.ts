import { afterAll, beforeAll, expect, test } from "bun:test"
import { exportFormatNames, exportFormats } from "../../../src/base/export-formats.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
let dataset: string
beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account()).key
  const { body } = await app.post("/api/v1/scrapers/words-scraper/runs?waitForFinish=30", {
    key,
    body: { words: ["one"] },
  })
  dataset = body.datasetId
})
afterAll(() => app.close())

test.each(exportFormatNames.filter((format) => format !== "md"))(
  "the dataset has the export format %s with its media type",
  async (format) => {
    const { status, headers } = await app.get(
      `/api/v1/datasets/${dataset}/items?format=${format}`,
      {
        key,
      },
    )
    expect([status, headers.get("content-type")]).toEqual([200, exportFormats[format].mediaType])
  },
)

test("the document and llms.txt list every export format", async () => {
  const { body } = await app.get("/openapi.json?path=/api/v1/datasets/{datasetId}/items")
  const [route] = Object.values(body.paths) as { get: { parameters: object[] } }[]
  const parameters = route!.get.parameters as { name: string; schema: { enum?: string[] } }[]
  expect(parameters.find(({ name }) => name === "format")?.schema.enum).toEqual(exportFormatNames)
  expect((await app.get("/llms.txt")).text).toContain(`format=${exportFormatNames.join("|")}`)
})
