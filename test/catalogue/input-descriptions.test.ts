import { describe, expect, test } from "bun:test"
import type { TSchema } from "@sinclair/typebox"
import { catalogue } from "../../src/catalogue/index.ts"

/** Words that a model misreads: an address is postal, "Most apps" is a quantity. */
const misread = /\b(Most|Cap|tells?|told|says?|asked|anew|alone|apart|beside|in place of|shall)\b/
const address = /(?<!\b(?:email|e-mail|IP|Bitcoin) )\baddress(?:es)?\b/i

describe.each(catalogue.map((scraper) => [scraper.slug, scraper] as const))("%s", (_, scraper) => {
  const fields = Object.entries<TSchema>(scraper.input.properties)

  test("describes its inputs in the field's terms", () => {
    for (const [name, { description = "" }] of fields) {
      expect([name, description.match(misread)?.[0]]).toEqual([name, undefined])
      expect([name, description.match(address)?.[0]]).toEqual([name, undefined])
      expect([name, description.length > 5]).toEqual([name, true])
    }
  })

  test("gives the bounds and the default of its counts", () => {
    for (const [name, { type, minimum, maximum, default: standard, description }] of fields) {
      if (type !== "integer" || maximum === undefined || standard === undefined) continue
      expect([name, description]).toEqual([
        name,
        expect.stringContaining(`(${minimum}-${maximum}, default ${standard})`),
      ])
    }
  })
})
