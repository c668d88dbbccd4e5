import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { fixedTools, toolExample, toolInput } from "../../../src/api/keyless/fixed-tools.ts"
import { modeOf, namedMode } from "../../../src/api/keyless/modes.ts"
import { catalogue } from "../../../src/catalogue/index.ts"
import { checkInput } from "../../../src/catalogue/kit/index.ts"
import { TestApp } from "../app.ts"

/** The real catalogue on the keyless surface, up to the start of a run. */
let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({}, catalogue)
})
afterAll(() => app.close())

const queryOf = (address: string) => new URL(address).searchParams

describe("every scraper is callable by GET", () => {
  for (const scraper of catalogue) {
    test(scraper.slug, async () => {
      const { body: card } = await app.get(`/api/scrape/${scraper.slug}`)
      expect(card.status).toBe("USAGE")
      expect(card.parameters.map((one: { name: string }) => one.name)).toEqual(
        Object.keys(scraper.input.properties),
      )
      for (const parameter of card.parameters) {
        expect(parameter.type, parameter.name).not.toContain("any")
        expect(parameter.description.length, parameter.name).toBeGreaterThan(0)
        expect(parameter.expected, parameter.name).not.toBe("another value")
      }
      // The example URL is equivalent to the example input, in both forms.
      const wanted = checkInput(scraper.input, scraper.example)
      expect(wanted.ok).toBe(true)
      const whole = new URLSearchParams({ input: JSON.stringify(scraper.example) })
      for (const query of [queryOf(card.exampleUrl), whole]) {
        const mode = namedMode(app.service, scraper.slug, query)
        expect(mode.kind).toBe("run")
        if (mode.kind === "run" && wanted.ok) expect(mode.request.input).toEqual(wanted.input)
        query.set("scraper", scraper.slug)
        expect(modeOf(app.service, query).kind).toBe("run")
      }
    })
  }
})

describe("every fixed tool has its scraper", () => {
  for (const tool of fixedTools) {
    test(tool.id, () => {
      const scraper = catalogue.find(({ slug }) => slug === tool.slug)!
      expect(scraper).toBeDefined()
      const value = toolExample(tool, scraper)
      expect(value).not.toBe("undefined")
      const checked = checkInput(scraper.input, toolInput(tool, scraper, value))
      expect(checked.ok).toBe(true)
    })
  }
})

test("modes without a name have their scrapers", () => {
  const markdown = modeOf(app.service, new URLSearchParams({ url: "https://example.com" }))
  expect(markdown).toMatchObject({ request: { tool: "url-to-markdown-scraper" } })
  const own = modeOf(
    app.service,
    new URLSearchParams({ url: "https://example.com", fields: "title: h1|price: .p" }),
  )
  expect(own).toMatchObject({
    request: { tool: "web-scraper", input: { fields: ["title: h1", "price: .p"] } },
  })
})
