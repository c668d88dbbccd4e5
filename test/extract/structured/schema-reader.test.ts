import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import {
  allSchemaNodes,
  SchemaReader,
  schemaNode,
} from "../../../src/extract/structured/schema-reader.ts"

describe("a property's values", () => {
  const one = new SchemaReader({
    "@type": "Product",
    name: "Lamp &amp; oil",
    image: "a.jpg",
    brand: { name: "Quay" },
    offers: { price: "12.50", seller: { name: "Pier" } },
    review: { author: { name: "Ida" }, reviewBody: "Bright." },
  })
  const several = new SchemaReader({
    "@type": ["http://schema.org/Product", "Thing"],
    name: ["Lamp &amp; oil"],
    image: ["a.jpg"],
    brand: [{ name: "Quay" }],
    offers: [{ price: 12.5, seller: [{ name: { "@value": "Pier" } }] }, { price: 20 }],
    review: [{ author: [{ name: ["Ida"] }], reviewBody: "Bright." }],
  })
  for (const [name, node] of Object.entries({ one, several })) {
    test(`${name} are read alike`, () => {
      expect({
        type: node.type,
        isProduct: node.isOfType("product"),
        title: node.title("name"),
        image: node.text("image"),
        images: node.texts("image"),
        brand: node.title("brand", "name"),
        price: node.number("offers", "price"),
        firstPrice: node.number("offers", 0, "price"),
        seller: node.in("offers").text("seller", "name"),
        authors: node.list("review").map((review) => review.title("author", "name")),
        missing: [node.text("brand"), node.text("sku", "value"), node.list("sku"), node.has("sku")],
      }).toEqual({
        type: "Product",
        isProduct: true,
        title: "Lamp & oil",
        image: "a.jpg",
        images: ["a.jpg"],
        brand: "Quay",
        price: 12.5,
        firstPrice: 12.5,
        seller: "Pier",
        authors: ["Ida"],
        missing: [null, null, [], false],
      })
    })
  }
})

test("nodes of a page are found by type, in whatever block they are written", () => {
  const document = parseDocument(`
    <script type="application/ld+json">{"@type":"WebSite","name":"unfinished</script>
    <script type="application/ld+json; charset=utf-8"><!--
      {"@graph":[{"@type":["ProfilePage"],"mainEntity":{"@type":"Person","name":"Ida"}}]}
    --></script>`)
  expect(schemaNode(document, "ProfilePage").title("mainEntity", "name")).toBe("Ida")
  expect(schemaNode(document, "Person").has()).toBe(false)
  expect(
    allSchemaNodes(document)
      .find((node) => node.isOfType("Person"))
      ?.title("name"),
  ).toBe("Ida")
})
