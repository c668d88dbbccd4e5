import { describe, expect, test } from "bun:test"
import { itemsOf } from "./page-run.ts"

const itemId = "123456789012"

async function listing(parts: string, host = "www.ebay.de") {
  const url = `https://${host}/itm/${itemId}`
  const [item] = await itemsOf(
    "ebay-product-scraper",
    { urls: [url] },
    {
      [url]: `<h1 class="x-item-title__mainTitle"><span>Eine Lampe</span></h1>
        <div class="x-price-primary"><span class="ux-textspans">EUR 75,00</span></div>
        <div class="x-sellercard-atf__info__about-seller"><a href="/usr/x"><span>x</span></a></div>${parts}`,
    },
  )
  return item!
}

describe("a listing's page in the language of its site", () => {
  test.each([
    ["Mehr als 10 verfügbar / 1.234 verkauft", 10, 1234],
    ["3 disponibles · 25 vendidos", 3, 25],
    ["Plus de 10 disponibles / 87 vendus", 10, 87],
    ["Letzter Artikel", 1, null],
    ["Último artículo", 1, null],
    ["4 beschikbaar · 12 verkocht", 4, 12],
    ["Verfügbarkeit unbekannt", null, null],
  ])("%s", async (text, quantityAvailable, quantitySold) => {
    expect(await listing(`<div class="x-quantity__availability">${text}</div>`)).toMatchObject({
      quantityAvailable,
      quantitySold,
    })
  })

  test.each([
    ["Standort: Berlin, Deutschland", "Berlin, Deutschland"],
    ["Localização: Lisboa, Portugal", "Lisboa, Portugal"],
    ["商品の所在地: 東京, 日本", "東京, 日本"],
  ])("%s", async (text, location) => {
    const html = `<div class="ux-labels-values--itemLocation"><span>${text}</span></div>`
    expect(await listing(html)).toMatchObject({ location })
  })

  test.each([
    ["Kostenloser Versand. Weitere Details", "Kostenloser Versand."],
    ["Envío gratis. Ver detalles", "Envío gratis."],
    ["Livraison gratuite. Voir les détails", "Livraison gratuite."],
  ])("%s without its link", async (text, shipping) => {
    const html = `<div class="ux-labels-values--shipping">
      <div class="ux-labels-values__values-content">${text}</div></div>`
    expect(await listing(html)).toMatchObject({ shipping })
  })

  test("product numbers are in its structured data, too", async () => {
    const product = {
      "@type": "Product",
      name: "Lampe",
      gtin13: "4548736162657",
      mpn: "Nicht zutreffend",
    }
    const html = `<script type="application/ld+json">${JSON.stringify({ ...product, brand: { name: "Lumo" } })}</script>`
    expect(await listing(html)).toMatchObject({ ean: "4548736162657", mpn: null, brand: "Lumo" })
  })

  test.each([
    ["Esta subasta ha finalizado.", true],
    ["Dieses Angebot wurde beendet.", true],
    ["このオークションは終了しました。", true],
    ["Zuletzt gesehen: heute", false],
  ])("%s", async (text, ended) => {
    expect(await listing(`<div class="d-statusmessage">${text}</div>`)).toMatchObject({ ended })
  })

  test("specifics are named in any language, and those that do not apply are null", async () => {
    const row = (name: string, value: string) => `<dl class="ux-labels-values">
      <dt class="ux-labels-values__labels-content">${name}</dt>
      <dd class="ux-labels-values__values-content"><span><span>${value}</span></span></dd></dl>`
    const rows = [
      row("Marka", "Lumo"),
      row("Numer części producenta", "Nie dotyczy"),
      row("Stan", "Nowy"),
    ]
    const html = `<div class="ux-layout-section--features">${rows.join("")}</div>`
    expect(await listing(html)).toMatchObject({ brand: "Lumo", mpn: null, condition: "Nowy" })
  })

  test("the discount is computed from both prices", async () => {
    const html = `<div class="x-price-section"><span class="ux-textspans--STRIKETHROUGH">EUR 100,00</span></div>`
    expect(await listing(html)).toMatchObject({ originalPrice: 100, discountPercent: 25 })
    expect(await listing("")).toMatchObject({ originalPrice: null, discountPercent: null })
  })
})

test("a page of 2026 is read without its help texts and its dashes", async () => {
  const item = await listing(`
    <div class="x-item-condition-text"><span class="ux-textspans">--</span></div>
    <div class="x-quantity__availability"><span class="ux-textspans">5 available</span><span class="ux-textspans">1 sold</span></div>
    <div class="ux-labels-values--shipping"><div class="ux-labels-values__values-content"><div>
      <span class="ux-textspans">US $15.47</span> <span class="ux-textspans">eBay International Shipping</span>
      <span class="ux-bubble-help"><span class="infotip__content">Shop with confidence.</span></span>
    </div></div></div>`)
  expect(item).toMatchObject({
    condition: null,
    availability: "5 available · 1 sold",
    quantityAvailable: 5,
    quantitySold: 1,
    shipping: "US $15.47 eBay International Shipping",
  })
})

test.each(["Ended", "Beendet"])("an ended listing has its own card: %s", async (word) => {
  const url = `https://www.ebay.com/itm/${itemId}`
  const [item] = await itemsOf(
    "ebay-product-scraper",
    { urls: [url] },
    {
      [url]: `<div class="x-item-condensed-card"><span class="ux-hotness-signal-text">${word}</span>
        <div class="x-item-condensed-card__price"><span class="ux-textspans">EUR 20.99</span><span class="clipped">EUR 20.99</span></div></div>
        <h1 class="x-item-title__mainTitle"><span>A lamp</span></h1>`,
    },
  )
  expect(item).toMatchObject({ title: "A lamp", price: 20.99, currency: "EUR", ended: true })
})

test("a translated title of before 2022 is without the link to the original one", async () => {
  const url = `https://www.ebay.it/itm/${itemId}`
  const [item] = await itemsOf(
    "ebay-product-scraper",
    { urls: [url] },
    {
      [url]: `<h1 id="itemTitle"><span class="g-hdn">Dettagli su </span>Lampada<span>
        <span class="it-icon-pd">-</span><a class="it-sttl">mostra il titolo originale</a></span></h1>
        <span id="vi-lkhdr-itmTitl">Lampada</span><span id="prcIsum">EUR 12,00</span>`,
    },
  )
  expect(item).toMatchObject({ title: "Lampada", price: 12 })
})

describe("a result's card in the visitor's language", () => {
  const listed = async (price: string, ...rows: string[]) => {
    const attributes = rows.map((row) => `<div class="s-card__attribute-row">${row}</div>`).join("")
    const [item] = await itemsOf(
      "ebay-search-scraper",
      { queries: ["lamp"] },
      {
        "https://www.ebay.com/sch/i.html": `<ul class="srp-results">
          <li class="s-card" data-listingid="${itemId}"><div class="s-card__title">Lampe</div>
          <div class="s-card__attribute-row"><span class="s-card__price">${price}</span></div>
          ${attributes}</li></ul>`,
      },
    )
    return item!
  }

  test.each([
    ["2 bids · Time left 3d 4h left", "3d 4h left"],
    ["2 Gebote · Noch 3T 4Std", "Noch 3T 4Std"],
    ["2 enchères · 3 j 4 h restants", "3 j 4 h restants"],
    ["2 offerte · 3g 4h rimasti", "3g 4h rimasti"],
  ])("%s", async (row, timeLeft) => {
    expect(await listed("EUR 5,00", row)).toMatchObject({
      buyingFormat: "auction",
      bids: 2,
      timeLeft,
    })
  })

  test.each([
    ["289 sold", 289],
    ["1.234 verkauft", 1234],
    ["Sold Nov 20, 2026", null],
    ["Verkauft 20. Nov 2026", null],
  ])("its caption: %s", async (caption, soldCount) => {
    const html = `</span></div><div class="s-card__caption">${caption}</div><div><span>`
    expect(await listed(`EUR 5,00${html}`)).toMatchObject({ soldCount, badges: [] })
  })

  test.each([
    ["US $5.00", "USD"],
    ["C $5.00", "CAD"],
    ["NZ $5.00", "NZD"],
    ["HK $5.00", "HKD"],
  ])("%s", async (price, currency) => {
    expect(await listed(price)).toMatchObject({ price: 5, currency })
  })
})
