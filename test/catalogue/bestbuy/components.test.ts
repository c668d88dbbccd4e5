import { expect, test } from "bun:test"
import { componentProduct } from "../../../src/catalogue/bestbuy/components.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const passed = (state: unknown) =>
  `<script>getInitializer().then((one) => one.initializeComponent({"componentId":"a"}, "a-1", ${JSON.stringify(JSON.stringify(state))}))</script>`
const data = (state: unknown) =>
  `<script type="application/json" id="a-json">${JSON.stringify(state)}</script>`

const prices = data({
  app: {
    other: { priceDomain: { skuId: "2", customerPrice: 5 } },
    priceDomain: { skuId: "1", customerPrice: 20, regularPrice: 25 },
  },
})
const details = passed({
  app: {
    componentData: {
      "product-description": {
        description: { longDescription: { parsedHtmlFragments: [{ plainText: "A lamp." }] } },
      },
      "product-features": { features: [{ title: "Light", description: 'It is "bright".' }] },
    },
  },
  specifications: {
    categories: [{ specifications: [{ displayName: "Colour", value: "Brass" }] }],
  },
})
const questions = data({
  questions: {
    results: [{ questionTitle: "Is it warm?", answersForQuestion: [{ answerText: "Yes." }] }],
  },
})

test("a product of a page of components is read under the names of later pages", () => {
  const page = parseDocument(`<body>${prices}${details}${questions}</body>`)
  const product = componentProduct(page, "1")
  expect(product.number("price", "customerPrice")).toBe(20)
  expect(product.text("description", "long")).toBe("A lamp.")
  expect(product.text("features", "0", "description")).toBe('It is "bright".')
  expect(product.text("specificationGroups", "0", "specifications", "0", "value")).toBe("Brass")
  expect(product.text("questions", "results", "0", "answers", "0", "text")).toBe("Yes.")
})

test("a page without states has no product", () => {
  const page = parseDocument(`<body>${data({ app: {} })}<script>"{\\"a</script></body>`)
  expect(componentProduct(page, "1").has()).toBeFalse()
})
