import { describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { Changed } from "../../../src/catalogue/kit/core/errors.ts"
import { itemObject, items } from "../../../src/catalogue/kit/core/fields.ts"
import {
  css,
  field,
  record,
  recordOf,
  required,
  shared,
} from "../../../src/catalogue/kit/core/record.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { JsonReader } from "../../../src/extract/embedded/index.ts"
import { SchemaReader } from "../../../src/extract/structured/index.ts"

const coin = record({
  id: required(field.text("id", "Its id.")),
  symbol: field.text("symbol", "In capitals.", (symbol) => symbol.toUpperCase()),
  rank: field.integer("rank|place.value", "Rank."),
  price: field.number((row: { amounts?: unknown[] }) => row.amounts?.[0], "Price."),
  seen: field.time("seen", "When."),
  tags: field.texts("tags", "Tags."),
  open: field.boolean("open"),
  roi: field.object("roi", "Return.", { times: field.number("times") }),
  files: field.objects("files", "Files.", { name: required(field.text("name")) }),
})

describe("a record", () => {
  test("reads each field by its path, alternatives in order, and functions of the row", () => {
    const row = {
      id: "btc",
      symbol: "btc",
      rank: null,
      place: { value: "3" },
      amounts: [1.5],
      seen: "2024-05-01T10:00:00Z",
      tags: ["a", 1, "b"],
      open: false,
      roi: { times: "2" },
      files: [{ name: "x" }, "no object"],
    }
    expect(coin.read(row)).toEqual({
      id: "btc",
      symbol: "BTC",
      rank: 3,
      price: 1.5,
      seen: "2024-05-01T10:00:00.000Z",
      tags: ["a", "b"],
      open: false,
      roi: { times: 2 },
      files: [{ name: "x" }],
    })
  })

  test("a flag is false if the upstream has no value, or another type", () => {
    const pin = record({ promoted: field.flag("ad.promoted", "Paid."), video: field.flag("video") })
    expect(pin.read({ ad: { promoted: true }, video: true })).toEqual({
      promoted: true,
      video: true,
    })
    expect(pin.read({ ad: null, video: "yes" })).toEqual({ promoted: false, video: false })
    expect(pin.fields.promoted).toMatchObject({ type: "boolean", description: "Paid." })
  })

  test("reads paths and functions of a row in a reader of JSON", () => {
    const home = record({
      city: field.text("address.city"),
      beds: field.number((row: JsonReader) => row.number("beds") ?? row.number("rooms")),
      events: field.objects((row: JsonReader) => row.list("history"), "Events.", {
        price: field.number("price"),
      }),
    })
    const json = { address: { city: "Austin" }, rooms: 2, history: { a: { price: "1" } } }
    expect(home.read(new JsonReader(json))).toEqual({
      city: "Austin",
      beds: 2,
      events: [{ price: 1 }],
    })
    expect(home.read(new JsonReader(null))).toEqual({ city: null, beds: null, events: [] })
  })

  test("a path reads a schema.org node as the node's reader does", () => {
    const review = record({ author: field.title("author.name|author") })
    expect(review.read(new SchemaReader({ author: [{ name: "Ida" }] }))).toEqual({ author: "Ida" })
    expect(review.read(new SchemaReader({ author: "Ida" }))).toEqual({ author: "Ida" })
  })

  test("a path reads the first of several values of a schema.org node, and typed values", () => {
    const product = record({
      logo: field.text("logo.url"),
      gtin: field.text("gtin"),
      price: field.number("offers.price"),
    })
    const node = new SchemaReader({
      logo: [{ url: "a.png" }, { url: "b.png" }],
      gtin: ["012", "345"],
      offers: { price: { "@value": "9.5" } },
    })
    expect(product.read(node)).toEqual({ logo: "a.png", gtin: "012", price: 9.5 })
  })

  test("returns null, or an empty list, for a missing value or another type", () => {
    expect(coin.read({ id: "x", roi: [], files: {}, symbol: " " } as never)).toEqual({
      id: "x",
      symbol: null,
      rank: null,
      price: null,
      seen: null,
      tags: [],
      open: null,
      roi: null,
      files: [],
    })
  })

  test("uses the next alternative if one is empty or of another type", () => {
    const person = record({
      name: field.text("display|name", "Name."),
      age: field.integer("age.years|years"),
      tags: field.texts("labels|tags"),
      place: field.object("seat|place", "Place.", { city: field.text("city") }),
    })
    const row = { display: " ", name: "A", age: { years: "?" }, years: 4, labels: "x", tags: ["b"] }
    expect(person.read({ ...row, seat: "Ulm", place: { city: "Bonn" } })).toEqual({
      name: "A",
      age: 4,
      tags: ["b"],
      place: { city: "Bonn" },
    })
  })

  test("reads one key of every entry of a list", () => {
    const post = record({
      tags: field.texts("meta.tags.*.name|tags.*.name"),
      star: field.text("a.*"),
    })
    const tags = [{ name: "a" }, { name: "" }, {}, null, "b", { name: 1 }, { name: "c" }]
    expect(post.read({ meta: { tags } })).toEqual({ tags: ["a", "c"], star: null })
    expect(post.read({ meta: null, tags, a: { "*": "x" } })).toEqual({
      tags: ["a", "c"],
      star: "x",
    })
  })

  test("trims a text if requested, and keeps it otherwise", () => {
    const post = record({ text: field.text("text"), trimmed: field.trimmed("text") })
    expect(post.read({ text: " a\n b \n" })).toEqual({ text: " a\n b \n", trimmed: "a\n b" })
    expect(post.read({ text: 7 })).toEqual({ text: "7", trimmed: "7" })
    expect(post.read({ text: " \n" })).toEqual({ text: null, trimmed: null })
  })

  test("reads Unix times in seconds and in milliseconds", () => {
    const post = record({ at: field.unixTime("at", "When.") })
    expect(post.read({ at: 1714557600 })).toEqual({ at: "2024-05-01T10:00:00.000Z" })
    expect(post.read({ at: "1714557600000" })).toEqual({ at: "2024-05-01T10:00:00.000Z" })
    expect(post.read({ at: "soon" })).toEqual({ at: null })
  })

  test("accepts fields that upstreams share, each with its own path", () => {
    const beds = shared(field.number, "Bedrooms.")
    const [one, other] = [record({ beds: beds("bedrooms") }), record({ beds: beds("rooms.beds") })]
    expect(one.fields).toEqual(other.fields)
    expect(one.fields.beds.description).toBe("Bedrooms.")
    expect(one.read({ bedrooms: "2" })).toEqual({ beds: 2 })
    expect(other.read({ rooms: { beds: 3 } })).toEqual({ beds: 3 })
  })

  test("names the field that every row should have", () => {
    expect(() => coin.read({} as never)).toThrow(new Changed("The response has no id."))
    expect(() => coin.read({ id: "x", files: [{}] } as never)).toThrow("The response has no name.")
  })

  test("has the schemas, null only if a value may be missing", () => {
    const schema = JSON.parse(JSON.stringify(itemObject(coin.fields)))
    expect(schema.properties.id).toEqual({ type: "string", description: "Its id." })
    expect(schema.properties.rank).toEqual({
      description: "Rank.",
      anyOf: [{ type: "integer", description: "Rank." }, { type: "null" }],
    })
    expect(schema.properties.files.items.additionalProperties).toBe(false)
    expect(schema.required).toEqual(Object.keys(coin.fields))
  })

  test("reads elements by selector and attribute", () => {
    const document = parseDocument("<li><b> </b><b>A  b</b><a href=/x>3.4K</a></li>")
    const entry = record({
      name: field.text(css("b")),
      href: field.text(css("a", "href")),
      stars: field.count(css("a")),
      gone: field.text(css(".gone")),
    })
    expect(entry.read(document)).toEqual({ name: "A b", href: "/x", stars: 3400, gone: null })
  })

  test("makes Markdown of HTML, with links resolved against its page", () => {
    const post = record({
      markdown: field.markdown("body", "Text.", "link"),
      alone: field.markdown((row: { body?: string }) => row.body, "Text."),
    })
    const body = "<p>See <a href=/b>b</a>"
    expect(post.read({ body, link: "https://a.example/1" })).toEqual({
      markdown: "See [b](https://a.example/b)",
      alone: "See b",
    })
    expect(post.read({})).toEqual({ markdown: null, alone: null })
  })

  test("reads plain schemas by the names of their fields, and which may be absent", () => {
    const shop = record({
      id: Type.String({ description: "ID." }),
      name: field.title("names.en", "Name."),
      stars: items.integer("Stars."),
      tags: items.texts("Tags."),
    })
    expect(shop.read({ id: "1", names: { en: "A &amp; B" }, stars: 4, tags: ["x"] })).toEqual({
      id: "1",
      name: "A & B",
      stars: 4,
      tags: ["x"],
    })
    expect(shop.read({ id: "2", tags: null })).toEqual({
      id: "2",
      name: null,
      stars: null,
      tags: [],
    })
    expect(() => shop.read({ names: {} } as never)).toThrow(Changed)
    // @ts-expect-error -- the types notice a value of another type
    shop.read({ id: "3", stars: "many" })
    expect(shop.fields.stars).toEqual(items.integer("Stars."))
  })

  test("leaves out an optional field without a value, and keeps its null", () => {
    const page = record({
      url: Type.String(),
      html: items.optionalText("HTML."),
      note: Type.Optional(items.text("Note.")),
    })
    expect(page.read({ url: "a" })).toEqual({ url: "a" })
    expect(Object.keys(page.read({ url: "a", html: undefined }))).toEqual(["url"])
    expect(page.read({ url: "a", html: "<p>", note: null })).toEqual({
      url: "a",
      html: "<p>",
      note: null,
    })
  })

  test("selects in the document or card of a row", () => {
    const document = parseDocument("<h1>A</h1><p><a href=/b>B</a></p>")
    const page = record({ title: field.text(css("h1")) })
    const card = record({ link: field.text(css("a", "href")) })
    expect(page.read({ document })).toEqual({ title: "A" })
    expect(card.read({ card: document.querySelector("p")! })).toEqual({ link: "/b" })
  })

  test("reads several parts, and readers within them", () => {
    interface Parts {
      job: JsonReader
      page: Document
    }
    const posting = recordOf<Parts>()({
      title: required(field.title("job.names.title", "Title.")),
      skills: field.texts("job.skills.*.name", "Skills."),
      heading: field.text(({ page }) => page.title, "Heading."),
      source: items.text("Source."),
    })
    const job = new JsonReader({ names: { title: "Cook" }, skills: [{ name: "a" }, { name: "b" }] })
    const page = parseDocument("<title>Jobs</title>")
    expect(posting.read({ job, page, source: "page" })).toEqual({
      title: "Cook",
      skills: ["a", "b"],
      heading: "Jobs",
      source: "page",
    })
  })
})
