import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { idInAddress } from "../../../src/extract/product/address.ts"
import { labelledValue, labelOf } from "../../../src/extract/product/labels/labels.ts"
import { readProduct } from "../../../src/extract/product/product.ts"
import { chosenSku } from "../../../src/extract/product/sku.ts"

const read = (body: string, url = "https://shop.example/kettle") =>
  readProduct(
    parseDocument(
      `<!doctype html><html><head><title>Kettle - Shop</title></head><body><h1>Kettle</h1><p class="price">$64.50</p>${body}</body></html>`,
    ),
    url,
  )

test.each([
  ["Artikelnummer:", "sku"],
  ["Art.-Nr.", "sku"],
  ["Product code", "sku"],
  ["Item #", "sku"],
  ["Réf. :", "sku"],
  ["Código", "sku"],
  ["Артикул", "sku"],
  ["商品番号", "sku"],
  ['מק"ט', "sku"],
  ["Kód produktu", "sku"],
  ["Item model number", "mpn"],
  ["型番", "mpn"],
  ["Ražotāja kods", "mpn"],
  ["Model #", "mpn"],
  ["EAN", "gtin"],
  ["EAN-13", "gtin"],
  ["JANコード", "gtin"],
  ["Značka", "brand"],
  ["Weight", null],
  ["Order number", null],
])("label %s", (text, label) => expect(labelOf(text)).toBe(label as never))

test.each([
  ["SKU", "AB-12 (red)", "AB-12"],
  ["SKU", "AB-12, AB-13", "AB-12"],
  ["SKU", "AB 1234", "AB 1234"],
  ["SKU", "1234 in three colours", "1234"],
  ["SKU", "none", null],
  ["SKU", "N/A", null],
  ["Code", "SAVE10", null],
  ["Code", "88123", "88123"],
  ["EAN", "4006381333931.", "4006381333931"],
  ["EAN", "4006381333930", null],
  ["MPN", "W-9/2", "W-9/2"],
  ["MPN", "Does not apply", null],
  ["Brand", "N/A", null],
])("%s: %s", (label, text, value) => expect(labelledValue(label, text)).toBe(value))

describe("positions of a label and its value", () => {
  test.each([
    ["cells", "<table><tr><th>SKU</th><td>KT-100</td></tr></table>"],
    [
      "two pairs in a row",
      "<table><tr><td>Size</td><td>L</td><td>SKU</td><td>KT-100</td></tr></table>",
    ],
    ["terms", "<dl><dt>SKU</dt><dd>KT-100</dd></dl>"],
    ["an element and a text", "<div><b>SKU:</b> KT-100<br><b>Size:</b> L</div>"],
    ["a text and an element", "<li>SKU: <span>KT-100</span></li>"],
    [
      "two elements among others",
      "<div><i>New</i><span>SKU:</span><span>KT-100</span><p>Kettles</p></div>",
    ],
    ["columns", "<div><div><span>SKU</span></div><div><span>KT-100</span></div></div>"],
    ["one text", "<p>SKU: KT-100</p>"],
    ["one text with others", "<p>Item #: KT-100 | Model: W-9</p>"],
    ["one text, no marks between", "<p>SKU: KT-100 EAN: 4006381333931 Brand: Works</p>"],
    ["no colon", "<p>SKU KT-100</p>"],
    ["short and without a colon", "<p>Ref. KT-100</p>"],
    ["brackets", "<p>【商品番号：KT-100】</p>"],
    ["the stock behind it", "<p><span>SKU: <b>KT-100</b></span> <span>3 in stock</span></p>"],
  ])("%s", (_, body) => expect(read(body)?.sku).toBe("KT-100"))

  test("all of one line", () =>
    expect(read("<p>SKU: KT-1 EAN: 4006381333931 Brand: Works</p>")).toMatchObject({
      sku: "KT-1",
      gtin: "4006381333931",
      brand: "Works",
    }))
  test.each([
    ["in a part for other products", '<div class="related"><p>SKU: KT-100</p></div>'],
    ["in a list that may be one", '<div class="products"><p>SKU: KT-100</p></div>'],
    ["a sentence", "<p>Item no longer available</p>"],
    ["a voucher", "<p>Code: SAVE10</p>"],
  ])("not %s", (_, body) => expect(read(body)?.sku).toBeUndefined())
  test("a table counts also in a part that may be a list", () =>
    expect(
      read('<div class="products"><table><tr><th>SKU</th><td>KT-100</td></tr></table></div>')?.sku,
    ).toBe("KT-100"))
  test("a menu's heading is not a brand", () =>
    expect(
      read("<ul><li><a>Brand</a></li><li><a>Description</a></li></ul>")?.brand,
    ).toBeUndefined())
  test("a label within microdata is not part of the brand", () =>
    expect(
      read(
        '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Kettle</b><h5 itemprop="brand"><span>More of the brand: </span><a>Works</a></h5></div>',
      )?.brand,
    ).toBe("Works"))
  test("microdata: the number as printed", () =>
    expect(
      read(
        '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Kettle</b><span itemprop="sku" content="4667999">466/7999</span></div>',
      )?.sku,
    ).toBe("466/7999"))
})

describe("the shop's number among several", () => {
  const page = "https://shop.example/kettle-14347.html"
  const none = { stated: [], labelled: [], apart: [], hidden: () => null }
  test.each([
    ["the printed one", { stated: ["DX1"], labelled: ["KT-1"] }, "KT-1"],
    [
      "the printed one that the data confirm",
      { stated: ["4667999"], labelled: ["12", "466/7999"] },
      "466/7999",
    ],
    [
      "the data's, where many are printed",
      { stated: ["K5"], labelled: ["K1", "K2", "K3", "K4"] },
      "K5",
    ],
    ["the data's before the address's", { stated: ["KT 1"] }, "KT 1"],
    ["a table's before the address's", { apart: ["KT-1"] }, "KT-1"],
    ["not a list's", { apart: ["KT-1", "KT-2"] }, "14347"],
    ["the address's before the form's", { hidden: () => "8812" }, "14347"],
  ])("%s", (_, stated, sku) => expect(chosenSku({ ...none, ...stated }, page)).toBe(sku))
})

test.each([
  ["https://shop.example/dp/B07FW264WL", "B07FW264WL"],
  ["https://shop.example/p-watch-14347.html", "14347"],
  ["https://shop.example/kettle/p3182808", "3182808"],
  ["https://shop.example/24h/M67296549.htm?pc=promo", "M67296549"],
  ["https://shop.example/kettle-MKI6IKW1N4.html", "MKI6IKW1N4"],
  ["https://shop.example/kettle,p571345.html", "571345"],
  ["https://shop.example/tv/c7200a278526196/kettle.html", "278526196"],
  ["https://shop.example/product/812", "812"],
  ["https://shop.example/kettle-28110?sku=1357247", "1357247"],
  ["https://shop.example/int.php?page=product&pid=428514", "428514"],
  ["https://shop.example/kettle", null],
  ["https://shop.example/kettle-2000", null],
])("number in %s", (address, id) => expect(idInAddress(address)).toBe(id))

describe("a brand without a label", () => {
  test.each([
    ["with which the heading begins", "<a class=brand-link>Kettle</a>", undefined],
    ["in an element named after it", "<div class=product-vendor>Acme</div>", "Acme"],
    ["with its label in the element", "<p class=manufacturer>Brand: Acme</p>", "Acme"],
    ["as a logo", "<a href=/brands/acme><img alt='Acme logo'></a>", "Acme"],
    ["far from the heading", `${"<i>x</i>".repeat(30)}<div class=brand>Acme</div>`, undefined],
    ["of another product", "<div class=related><b class=brand>Acme</b></div>", undefined],
    ["in a sentence", "<p class=brand>Made by people who care. Since 1901</p>", undefined],
  ])("%s", (_, html, brand) => expect(read(html)?.brand).toBe(brand as never))

  test("at the start of the heading, far from it", () => {
    const html = `<h1>Acme Kettle 2000</h1><p class=price>$20.00</p>${"<i>x</i>".repeat(30)}<b class=brand>Acme</b>`
    expect(readProduct(parseDocument(html), "https://shop.example/x")?.brand).toBe("Acme")
  })
})

describe("a maker's number", () => {
  const withData = (facts: object, body = "") =>
    read(
      `<script type=application/ld+json>${JSON.stringify({ "@type": "Product", name: "Kettle", offers: { price: 64.5, priceCurrency: "USD" }, ...facts })}</script>${body}`,
    )?.mpn

  test.each([
    ["in the data", { mpn: "W-9" }, "", "W-9"],
    ["digits that are not displayed", { mpn: "236840879" }, "", undefined],
    ["digits that the page shows", { mpn: "99361" }, "<p>Kettle no. 99361</p>", "99361"],
    [
      "its GTIN again",
      { mpn: "4006381333931", gtin13: "4006381333931" },
      "<p>4006381333931</p>",
      undefined,
    ],
    ["a model's code", { model: "KX-100" }, "", "KX-100"],
    ["a model's name", { model: "Indego 400" }, "", undefined],
  ])("%s", (_, facts, body, mpn) => expect(withData(facts, body)).toBe(mpn as never))
})
