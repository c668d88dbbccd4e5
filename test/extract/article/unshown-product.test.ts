import { describe, expect, test } from "bun:test"
import { readArticle } from "../../../src/extract/article/index.ts"
import { unshownProduct } from "../../../src/extract/article/unshown-product.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { toMarkdown } from "../../../src/extract/markdown/index.ts"
import { readSources } from "../../../src/extract/metadata/index.ts"

const url = "https://www.lamps.example/p/harbour-lamp"
const description =
  "The lamp burns for a whole winter's night, and its glass can be wiped without a cloth."
const product = {
  "@type": "Product",
  name: "Harbour lamp",
  sku: "HL-9",
  brand: { "@type": "Brand", name: "Lumen" },
  description,
  additionalProperty: [
    { "@type": "PropertyValue", name: "Height", value: "31 cm" },
    { "@type": "PropertyValue", name: "Fuel", value: "Oil" },
  ],
  offers: [
    { "@type": "Offer", name: "Brass", sku: "HL-9B", price: "1299.00", priceCurrency: "EUR" },
    { "@type": "Offer", name: "Tin", sku: "HL-9T", price: "89.50", priceCurrency: "EUR" },
  ],
}

const pageOf = (visible: string, data: unknown = product) =>
  parseDocument(
    `<head><title>Harbour lamp</title><script type="application/ld+json">${JSON.stringify(data)}</script></head>
     <body><h1>Harbour lamp</h1>${visible}</body>`,
  )

function unshown(document: Document, pageType: "product" | "article" = "product"): string | null {
  const root = unshownProduct(document, url, { root: document.body, pageType })
  return root && toMarkdown(root, url)
}

describe("data of a product that the page does not show", () => {
  test("description, numbers, specification and variants of a page that shows a name", () => {
    expect(unshown(pageOf(""))).toBe(
      `${description}

- Brand: Lumen
- Price: 1299.00 EUR
- SKU: HL-9
- Height: 31 cm
- Fuel: Oil

| Variant | SKU | Price |
| --- | --- | --- |
| Brass | HL-9B | 1299.00 EUR |
| Tin | HL-9T | 89.50 EUR |
`,
    )
  })

  test("nothing that the page shows in its own words", () => {
    const visible = `<p>Lumen · HL-9 · €1,299 · brass or tin</p><p>${description}</p>
      <table><tr><th>Height<td>31 cm<tr><th>Fuel<td>Oil</table>`
    expect(unshown(pageOf(visible))).toBeNull()
  })

  test("an amount within a longer number is not shown", () => {
    const visible = `<p>Lumen HL-9 Call 41299 or 12990.</p>`
    expect(unshown(pageOf(visible))).toContain("- Price: 1299.00 EUR\n")
    expect(unshown(pageOf(visible))).not.toContain("- SKU")
  })

  test("for a page with text of its own: no numbers, and nothing that is elsewhere on it", () => {
    const story = `<p>${"It was lit each night by whoever came last. ".repeat(8)}</p>`
    const document = pageOf(`<div>${story}</div><aside>Oil. ${description}</aside>`)
    const root = document.querySelector("div")!
    const added = unshownProduct(document, url, { root, pageType: "product" })!
    expect(toMarkdown(added, url)).toBe(
      "- Height: 31 cm\n\n| Variant | SKU | Price |\n| --- | --- | --- |\n| Brass | HL-9B | 1299.00 EUR |\n| Tin | HL-9T | 89.50 EUR |\n",
    )
  })

  test("variants by what sets them apart, unless the page shows most of them", () => {
    const offers = ["Brass", "Tin", "Lead"].map((name, at) => ({
      ...product.offers[at % 2],
      name: `Harbour lamp - ${name}`,
    }))
    const visible = `<p>Lumen HL-9 31 cm Oil ${description}</p>`
    const data = { ...product, offers }
    expect(unshown(pageOf(`${visible}<p>Tin</p>`, data))).toContain("\n| Lead | ")
    expect(unshown(pageOf(`${visible}<p>Tin or lead</p>`, data))).not.toContain("Variant")
  })

  test("of an app shell, from the state in its scripts", () => {
    const state = {
      props: {
        pageProps: {
          product: {
            name: "Harbour lamp",
            price: { amount: "89.50", currency: "EUR" },
            description: `<p>${description}</p>`,
            specifications: [{ name: "Height", value: "31 cm" }, { name: "Fuel" }],
            variants: [
              { title: "Brass", price: 99, available: true },
              { title: "Tin", price: 89.5, available: false },
            ],
          },
        },
      },
    }
    const html = `<title>Harbour lamp | Lamps</title><div id="__next">Loading</div>
      <script id="__NEXT_DATA__" type="application/json">${JSON.stringify(state)}</script>`
    const text = unshown(parseDocument(html), "article")
    expect(text).toStartWith(`${description}\n\n- Price: 89.50 EUR\n- Height: 31 cm\n\n`)
    expect(text).toEndWith("| Brass | 99.00 | in stock |\n| Tin | 89.50 | out of stock |\n")
  })

  test("nothing of a page of another kind", () => {
    const story = `<p>${"The lamp was lit each night by whoever came last. ".repeat(8)}</p>`
    expect(unshown(pageOf(story), "article")).toBeNull()
  })
})

describe("the text of a product's page", () => {
  const textOf = (visible: string) => {
    const document = pageOf(visible)
    const meta = document.createElement("meta")
    meta.setAttribute("property", "og:type")
    meta.setAttribute("content", "product")
    document.head.append(meta)
    return readArticle(readSources(document, url)).text
  }
  const shipping = `<p>${"Orders of lamps leave our harbour on every day of the week but Sunday. ".repeat(5)}</p>`
  test("has the description that is only in its data", () => {
    expect(textOf(shipping)).toContain(description)
  })
  test("has it once if the page shows it", () => {
    expect(textOf(`<p>${description}</p>${shipping}`).split(description)).toHaveLength(2)
  })
})
