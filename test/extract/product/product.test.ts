import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { availabilityInText, availabilityOf } from "../../../src/extract/price/index.ts"
import { readProduct } from "../../../src/extract/product/product.ts"
import { gtinOf } from "../../../src/extract/product/text/ids.ts"

const url = "https://shop.example.de/kettle"
const read = (body: string, head = "") =>
  readProduct(
    parseDocument(
      `<!doctype html><html lang="de"><head><title>Kettle - Shop</title>${head}</head><body>${body}</body></html>`,
    ),
    url,
  )
const ld = (value: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`
const product = (offers: unknown, more = {}) =>
  ld({ "@type": "Product", name: "Kettle", sku: "K1", offers, ...more })

describe("names", () => {
  test.each([
    ["Vacuum clean<wbr/>er", "Vacuum cleaner"],
    ["Big <b>lamp</b><br/>red", "Big lamp red"],
    ["Lamp < 5 W", "Lamp < 5 W"],
    ["Mug — Lee &amp; Co - Potters", "Mug"],
    ["Mug - small", "Mug - small"],
  ])("%s", (name, expected) => {
    const site = `<meta property="og:site_name" content="Lee & Co - Potters">`
    expect(read(ld({ "@type": "Product", name, sku: "K1" }), site)?.name).toBe(expected)
  })
})

describe("prices in data", () => {
  test.each([
    ["number", { price: 12.5, priceCurrency: "EUR" }, 12.5],
    ["text with a dot", { price: "2449.00", priceCurrency: "ARS" }, 2449],
    ["text as shown", { price: "1.299,00 €" }, 1299],
    ["now and before in one text", { price: " 10,75 € 11,95 € " }, 10.75],
    ["three digits after the dot", { price: "12.345", priceCurrency: "EUR" }, 12.345],
    ["three digits in money without cents", { price: "24.990", priceCurrency: "CLP" }, 24990],
    ["aggregate", { "@type": "AggregateOffer", lowPrice: "5.29", highPrice: 9 }, 5.29],
    [
      "aggregate next to an offer",
      [
        { "@type": "AggregateOffer", lowPrice: 5 },
        { "@type": "Offer", price: 7 },
      ],
      5,
    ],
    [
      "specification",
      {
        priceSpecification: [
          { priceType: "https://schema.org/ListPrice", price: 20 },
          { price: 15 },
        ],
      },
      15,
    ],
    [
      "the offer in stock",
      [
        { price: 9, availability: "OutOfStock" },
        { price: 11, availability: "InStock" },
      ],
      11,
    ],
  ])("%s", (_, offers, price) =>
    expect(read("<h1>Kettle</h1>", product(offers))?.price).toBe(price),
  )

  test("zero without stock is not a price", () => {
    expect(
      read("<h1>Kettle</h1>", product({ price: 0, availability: "OutOfStock" }))?.price,
    ).toBeUndefined()
  })
})

describe("the right product of several", () => {
  test("the one with the page's heading", () => {
    const nodes = ["Mug", "Kettle", "Pan"].map((name, index) => ({
      "@type": "Product",
      name,
      offers: { price: index + 1 },
    }))
    expect(read("<h1>Kettle</h1>", ld(nodes))?.price).toBe(2)
  })
  test("not one that is only related", () => {
    const related = {
      isRelatedTo: { "@type": "Product", name: "Kettle lid", offers: { price: 3 } },
    }
    expect(read("<h1>Kettle</h1>", product({ price: 9 }, related))?.price).toBe(9)
  })
  test("none on a page of many", () => {
    const nodes = ["A", "B", "C", "D", "E"].map((name) => ({
      "@type": "Product",
      name,
      offers: { price: 1 },
    }))
    expect(read("<h1>All our things</h1>", ld(nodes))).toBeNull()
  })
  test("none in an article, whatever it shows", () => {
    const head = '<meta property="og:type" content="article">'
    expect(read('<h1>The kettle test</h1><p class="price">99,00 €</p>', head)).toBeNull()
  })

  test("but a shop's page is not, if WordPress calls it one", () => {
    const html =
      '<meta property="og:type" content="article"><title>Kettle</title><body class="single single-product"><h1>Kettle</h1><p class="price">$39.00</p>'
    const product = readProduct(parseDocument(html), "https://shop.example/product/kettle/")
    expect(product?.price).toBe(39)
  })
})

describe("displayed prices", () => {
  test.each([
    ["near the heading", '<h1>Kettle</h1><span class="price">64,50 €</span>', 64.5],
    ["raised cents", '<h1>Kettle</h1><span class="price">64<sup>50</sup> €</span>', 64.5],
    ["not the struck one", '<h1>Kettle</h1><p class="price"><del>80 €</del> 64,50 €</p>', 64.5],
    [
      "not the old one",
      '<h1>Kettle</h1><span class="old-price">80 €</span><span class="price">64,50 €</span>',
      64.5,
    ],
    [
      "the only one, though it is called old",
      '<h1>Kettle</h1><span class="price-old-live">80,00 €</span>',
      80,
    ],
    [
      "not the instalment",
      '<h1>Kettle</h1><span class="monthly-price">5,38 €</span><span class="price">64,50 €</span>',
      64.5,
    ],
    ...["€ 5,38 /mese", "12 rate da € 5,38", "12 cuotas de 5,38 €", "12 parcelas de 5,38 €"].map(
      (text): [string, string, number] => [
        `not the instalment of "${text}"`,
        `<h1>Kettle</h1><div class="price">${text}</div><p>Kettle of steel</p><div>64,50 €</div>`,
        64.5,
      ],
    ),
    [
      "not another product's",
      '<h1>Kettle</h1><div class="related"><span class="price">9 €</span></div><div>64,50 €</div>',
      64.5,
    ],
    [
      "not the cart's",
      '<header><span class="price">0,00 €</span></header><h1>Kettle</h1><span class="price">64,50 €</span>',
      64.5,
    ],
    [
      "not what an option adds",
      '<h1>Kettle</h1><label class="price-option">+20,00 €</label><span class="bigprices">64,50 €</span>',
      64.5,
    ],
    [
      "what is left after a discount",
      '<h1>Kettle</h1><div class="discount-price"><span>64,50 €</span></div><div class="price-discount">9,00 €</div>',
      64.5,
    ],
    [
      "not the net price",
      '<h1>Kettle</h1><span class="price-net">53,75 €</span><span class="price main-price">64,50 €</span>',
      64.5,
    ],
    [
      "not the old one in a frame around both",
      '<h1>Kettle</h1><div class="price"><span class="old">80,00 €</span><span>64,50 €</span></div>',
      64.5,
    ],
    [
      "not one that a style strikes",
      '<h1>Kettle</h1><ul><li><span style="text-decoration: line-through">80,00 €</span></li><li>64,50 €</li></ul>',
      64.5,
    ],
    [
      "a sign in the next element",
      '<h1>Kettle</h1><td>Only <b>7</b> left <b class="price">64,50</b><span>€</span></td>',
      64.5,
    ],
    ["a dash for the cents", '<h1>Kettle</h1><span class="price">64,-</span><span>€</span>', 64],
    [
      "not the unit's",
      '<h1>Kettle</h1><div class="unit-price">12,90 € / 1 l</div><div class="product-price">64,50 €</div>',
      64.5,
    ],
    [
      "the lowest of a from-price, without the delivery",
      '<h1>Kettle</h1><div class="price">ab 64,50 €</div><div class="shipping">zzgl. 4,95 € Versand</div>',
      64.5,
    ],
  ])("%s", (_, body, price) => expect(read(body)?.price).toBe(price))

  test("data with the struck-through price is replaced", () => {
    const body =
      '<h1>Kettle</h1><span class="price original-price">80,00 €</span><span class="price current-price">64,50 €</span>'
    expect(read(body, product({ price: "80.00", priceCurrency: "EUR" }))).toMatchObject({
      price: 64.5,
      listPrice: 80,
      extractedFrom: "selectors",
    })
  })
  describe("of several offers in the data, the displayed one", () => {
    const span = { "@type": "AggregateOffer", lowPrice: 49, highPrice: 89, priceCurrency: "EUR" }
    const visible = (text: string) =>
      read(
        `<h1>Kettle</h1><span class="price">${text}</span><button>Add to cart</button>`,
        product(span),
      )
    test("is the product's", () => {
      expect(visible("64,50 €")).toMatchObject({ price: 64.5, lowPrice: 49, highPrice: 89 })
    })
    test("but not a price beyond them, or in another currency", () => {
      expect(visible("9,90 €")?.price).toBe(49)
      expect(visible("£64.50")?.price).toBe(49)
    })
  })
  test("other differences keep the data's price", () => {
    const body = '<h1>Kettle</h1><span class="price">70,00 €</span>'
    expect(read(body, product({ price: 64.5 }))).toMatchObject({
      price: 64.5,
      visiblePrice: { amount: 70, text: "70,00 €" },
    })
  })
})

describe("the state of shop software", () => {
  test("Shopify", () => {
    const meta = {
      product: {
        vendor: "Works",
        variants: [
          { id: 1, price: 6450, sku: "K1", public_title: "Red" },
          { id: 2, price: 7000, sku: "K2" },
        ],
      },
    }
    const script = `<script>var meta = ${JSON.stringify(meta)};window.ShopifyAnalytics.meta = meta;</script>`
    expect(read(`<h1>Kettle</h1>${script}`)).toMatchObject({
      brand: "Works",
      price: 64.5,
      sku: "K1",
      highPrice: 70,
    })
  })
  test("the vendor that Shopify's themes link", () => {
    const card = (vendor: string) =>
      `<div><a href="/collections/vendors?q=${vendor}">${vendor}</a></div>`
    const own = `<div><div>${card("Lamp+%26+Co")}<h1>Kettle</h1></div><p>12,50 €</p></div>`
    const found = read(`<main>${own}</main><section>${card("Other")}</section>`)
    expect(found).toMatchObject({ name: "Kettle", brand: "Lamp & Co" })
    expect(read(`<h1>Kettle</h1><p>12,50 €</p>`)?.brand).toBeUndefined()
    expect(read(product({ price: 1 }, { brand: "Works" }) + own)?.brand).toBe("Works")
  })
  test("WooCommerce", () => {
    const variations = JSON.stringify([
      {
        display_price: 64.5,
        display_regular_price: 80,
        sku: "K1",
        is_in_stock: true,
        attributes: { attribute_pa_color: "red" },
      },
    ]).replaceAll('"', "&quot;")
    expect(
      read(
        `<h1>Kettle</h1><form class="variations_form" data-product_variations="${variations}"></form>`,
      ),
    ).toMatchObject({
      price: 64.5,
      listPrice: 80,
      availability: "in_stock",
      variants: [{ options: { color: "red" } }],
    })
  })
  test("Magento", () => {
    const body =
      '<h1>Kettle</h1><span data-price-type="finalPrice" data-price-amount="64.5"></span><span data-price-type="oldPrice" data-price-amount="80"></span>'
    expect(read(body)).toMatchObject({ price: 64.5, listPrice: 80 })
  })
  test("dataLayer", () => {
    const script =
      '<script>dataLayer.push({event:"x"});dataLayer.push({"ecommerce":{"detail":{"products":[{"id":"K1","price":"64.50","brand":"Works"}]}}});</script>'
    expect(read(`<h1>Kettle</h1>${script}`)).toMatchObject({
      price: 64.5,
      sku: "K1",
      brand: "Works",
    })
  })
})

describe("stock", () => {
  test.each([
    ["http://schema.org/InStock", "in_stock"],
    ["OutOfStock", "out_of_stock"],
    ["instock", "in_stock"],
    ["https://schema.org/LimitedAvailability", "limited"],
    ["auf Lager", "in_stock"],
    ["ausverkauft", "sold_out"],
    ["whatever", null],
  ])("%s", (text, availability) => expect(availabilityOf(text)).toBe(availability as never))
  test.each([
    ["Currently unavailable.", "out_of_stock"],
    ["Only 2 left in stock", "limited"],
    ["Nicht lieferbar", "out_of_stock"],
    ["Rupture de stock", "out_of_stock"],
    ["Není skladem", "out_of_stock"],
    ["Skladem", "in_stock"],
    ["В наличии", "in_stock"],
    ["Нет в наличии", "out_of_stock"],
    ["Produit épuisé", "sold_out"],
    ["Ce produit n'est plus en stock", "out_of_stock"],
    ["Niedostępny", "out_of_stock"],
    ["Back in stock soon", "out_of_stock"],
    ["לא במלאי", "out_of_stock"],
    ["במלאי", "in_stock"],
    ["在庫切れ", "out_of_stock"],
    ["Em estoque", "in_stock"],
    ["Available on backorder", "backorder"],
    ["Não disponível.", "out_of_stock"],
    ["Não está disponível", "out_of_stock"],
    ["No está disponible actualmente", "out_of_stock"],
    ["N'est pas disponible", "out_of_stock"],
    ["Non è più disponibile", "out_of_stock"],
    ["Momenteel niet verkrijgbaar.", "out_of_stock"],
    ["Nicht sofort lieferbar", "out_of_stock"],
    ["Nie jest dostępny", "out_of_stock"],
    ["Finns inte i lager", "out_of_stock"],
    ["Şu anda mevcut değil.", "out_of_stock"],
    ["現在お取り扱いできません。", "out_of_stock"],
    ["没有现货", "out_of_stock"],
    ["残り3点 ご注文はお早めに", "limited"],
    ["Solo queda(n) 5 en stock", "limited"],
    ["Solo 3 disponibili", "limited"],
    ["Il ne reste plus que 3 exemplaire(s) en stock.", "limited"],
    ["Disponível", "in_stock"],
    ["A fine kettle", null],
  ])("%s", (text, availability) => expect(availabilityInText(text)).toBe(availability as never))
  test("a button to buy, and one to wait", () => {
    const visible = '<h1>Kettle</h1><p class="price">9 €</p>'
    expect(read(`${visible}<button>In den Warenkorb</button>`)?.availability).toBe("in_stock")
    expect(read(`${visible}<button>Notify me</button>`)?.availability).toBe("out_of_stock")
    expect(read(`${visible}<button disabled>Sold out</button>`)?.availability).toBe("sold_out")
    expect(read(`${visible}<button class="add-to-cart">Pre-order</button>`)?.availability).toBe(
      "preorder",
    )
    expect(
      read(`${visible}<button aria-label="XL Sold out">XL</button><button>Add to cart</button>`)
        ?.availability,
    ).toBe("in_stock")
    expect(
      read(`${visible}<p class="stock">Ausverkauft</p><button>In den Warenkorb</button>`)?.inStock,
    ).toBe(false)
  })
})

describe("product numbers", () => {
  test.each([
    ["4006381333931", "4006381333931"],
    ["EAN: 4006381-333931", "4006381333931"],
    ["urn:isbn:978-3-16-148410-0", "9783161484100"],
    ["GTIN-14: 04006381333931", "04006381333931"],
    ["036000291452", "036000291452"],
    ["96385074", "96385074"],
    ["3-16-148410-X", "316148410X"],
    ["12345", null],
    ["0000000000000", null],
    ["4006381333930", null],
    ["3161484101", null],
  ])("GTIN %s", (text, gtin) => expect(gtinOf(text)).toBe(gtin))
})

test.each([
  [
    "one with the right check digit",
    { gtin8: "12345678", gtin13: "4006381333931" },
    "4006381333931",
  ],
  ["one as it is stated", { gtin13: "4006381333930" }, "4006381333930"],
  ["not what has no form of one", { gtin: "K-12345" }, undefined],
])("GTIN in data: %s", (_, stated, gtin) =>
  expect(read("<h1>Kettle</h1>", product({ price: 9 }, stated))?.gtin).toBe(gtin),
)

test("microdata: a displayed text may have groups where a content has decimals", () => {
  const scope = (price: string) =>
    `<div itemscope itemtype="http://schema.org/Product"><h1 itemprop="name">Kettle</h1><div itemprop="offers" itemscope itemtype="http://schema.org/Offer">${price}<meta itemprop="priceCurrency" content="EUR"></div></div>`
  expect(read(scope('<span itemprop="price">1.144</span>'))?.price).toBe(1144)
  expect(read(scope('<meta itemprop="price" content="1.144">'))?.price).toBe(1.144)
})

test("a manufacturer's number that only repeats the shop's own is none", () => {
  const mpn = (value: string) => read(product({ price: 1 }, { sku: "123.45", mpn: value }))?.mpn
  expect(mpn("12345")).toBeUndefined()
  expect(mpn("KT-9")).toBe("KT-9")
})

test.each([
  ["product:gtin13", "4006381333931", "4006381333931"],
  ["product:isbn", "978-3-16-148410-0", "9783161484100"],
  ["product:ean", "n/a", null],
])("the code of an Open Graph product: %s", (name, content, expected) => {
  const head = `<meta property="og:type" content="product"><meta property="og:title" content="Kettle">
    <meta property="product:price:amount" content="12"><meta property="product:price:currency" content="EUR">
    <meta property="${name}" content="${content}">`
  expect(read("<h1>Kettle</h1>", head)?.gtin ?? null).toBe(expected)
})
