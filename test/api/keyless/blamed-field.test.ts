import { afterAll, beforeAll, expect, test } from "bun:test"
import { catalogue } from "../../../src/catalogue/index.ts"
import { TestApp } from "../app.ts"

let app: TestApp
beforeAll(async () => {
  const slugs = ["dns-records-scraper", "pypi-package-scraper"]
  app = await TestApp.open(
    { freeDaily: 1000 },
    catalogue.filter(({ slug }) => slugs.includes(slug)),
  )
})
afterAll(() => app.close())

test("errors blame the field with the wrong value, not the target", async () => {
  const { body } = await app.get(
    "/api/scrape/dns-records-scraper?domains=a.example&recordTypes=MAIL",
  )
  expect(body).toMatchObject({
    status: "INVALID_INPUT",
    error: { details: [{ field: "recordTypes[0]", index: 0, actual: "MAIL" }] },
    free: { used: 0 },
  })
})

test("values joined by commas get the separator of lists", async () => {
  const { body } = await app.get("/api/scrape/pypi-package-scraper?packages=flask,requests")
  expect(body.status).toBe("INVALID_INPUT")
  expect(body.error.message).toContain("Separate list values with |")
  const single = await app.get("/api/scrape/pypi-package-scraper?packages=not a name")
  expect(single.body.error.message).not.toContain("Separate")
})
