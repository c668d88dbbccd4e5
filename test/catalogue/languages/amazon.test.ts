import { describe, expect, test } from "bun:test"
import { itemsOf } from "./page-run.ts"

const asin = "B0CX23V2ZK"

const tile = (sales: string, price = "$80.00", former = "$100.00") => `
  <div data-component-type="s-search-result" data-asin="${asin}">
    <h2><span>A lamp</span></h2>
    <div data-cy="reviews-block"><span class="a-icon-alt">4.5 out of 5 stars</span>
      <span class="a-size-base a-color-secondary">${sales}</span></div>
    <div data-cy="price-recipe">
      <span class="a-price"><span class="a-offscreen">${price}</span></span>
      <span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">${former}</span></span>
    </div>
  </div>`

const search = (domain: string, html: string) =>
  itemsOf(
    "amazon-search-scraper",
    { keywords: ["lamp"], domain },
    { [`https://www.amazon.${domain}/s`]: `<div id="search">${html}</div>` },
  )

describe("results of Amazon's marketplaces", () => {
  test.each([
    ["com", "50+ bought in past month"],
    ["de", "400+ Mal im letzten Monat gekauft"],
    ["es", "Comprado más de 50 veces el mes pasado"],
    ["fr", "Plus de 50 achetés au cours du mois dernier"],
    ["it", "Più di 50 acquistati nel mese scorso"],
    ["co.jp", "過去1か月で100点以上購入されました"],
    ["nl", "Meer dan 50 gekocht in de afgelopen maand"],
    ["com.br", "Mais de 100 compras no mês passado"],
    ["com.tr", "Geçen ay 50+ satın alındı"],
  ])("%s shows the sales of the last month", async (domain, sales) => {
    const [item] = await search(domain, tile(sales))
    expect(item!.boughtPastMonth).toBe(sales)
  })

  test("sales are not another text of the tile", async () => {
    const [item] = await search("com", tile("4.5 out of 5 stars"))
    expect(item!.boughtPastMonth).toBeNull()
  })

  test("the discount is computed from both prices", async () => {
    const [item] = await search("de", tile("", "79,99 €", "99,99 €"))
    expect(item).toMatchObject({ price: 79.99, listPrice: 99.99, discountPercent: 20 })
    const [same] = await search("de", tile("", "99,99 €", "99,99 €"))
    expect(same!.discountPercent).toBeNull()
  })

  test.each([
    ["de", "Keine Ergebnisse für qqq."],
    ["co.jp", "qqq に一致する商品はありません。"],
    ["com.tr", "qqq için sonuç bulunamadı."],
  ])("%s has the text for no results", async (domain, words) => {
    expect(await search(domain, words)).toEqual([])
  })
})

const product = (domain: string, parts: string) =>
  itemsOf(
    "amazon-product-scraper",
    { products: [asin], domain },
    {
      [`https://www.amazon.${domain}/dp/${asin}`]: `<html><head><title>A lamp</title></head><body>
        <span id="productTitle">A lamp</span><input id="ASIN" value="${asin}">${parts}</body></html>`,
    },
  )

describe("products of Amazon's marketplaces", () => {
  test.each([
    ["com", "63 percent of reviews have 5 stars", "5 percent of reviews have 4 stars"],
    ["de", "63 Prozent der Rezensionen haben 5 Sterne", "5 Prozent der Rezensionen haben 4 Sterne"],
    ["fr", "63 % des commentaires ont 5 étoiles", "5 % des commentaires ont 4 étoiles"],
    ["co.jp", "5つ星のレビューは63％", "4つ星のレビューは5％"],
    ["com.tr", "Değerlendirmelerin %63 kadarı 5 yıldız", "Değerlendirmelerin %5 kadarı 4 yıldız"],
  ])("%s labels the rows of its histogram", async (domain, five, four) => {
    const [item] = await product(
      domain,
      `<table id="histogramTable"><tr><td><a aria-label="${five}"></a></td></tr>
       <tr><td><a aria-label="${four}"></a></td></tr></table>`,
    )
    expect(item!.ratingDistribution).toEqual({ 1: 0, 2: 0, 3: 0, 4: 5, 5: 63 })
  })

  test.each([
    ["de", "Besuche den LUMO-Store"],
    ["es", "Visita la Store de LUMO"],
    ["fr", "Visitez la boutique LUMO"],
    ["pl", "Odwiedź sklep LUMO"],
    ["co.jp", "LUMOのストアを表示"],
    ["com.br", "Visite a loja LUMO"],
  ])("%s links to the brand's store", async (domain, byline) => {
    const [item] = await product(domain, `<a id="bylineInfo">${byline}</a>`)
    expect(item!.brand).toBe("LUMO")
  })

  test.each([
    ["it", "Nessuna offerta in evidenza disponibile"],
    ["pl", "Brak polecanych ofert"],
    ["com.br", "Nenhuma oferta em destaque disponível"],
  ])("%s has no recommended offer", async (domain, words) => {
    const [item] = await product(
      domain,
      `<div id="fod-cx-message-with-learn-more"><span>${words}</span></div>`,
    )
    expect(item).toMatchObject({ price: null, available: false })
  })

  const sold = (name: string, id: string) =>
    `<a id="sellerProfileTriggerId" href="/gp/help/seller/at-a-glance.html?seller=${id}">${name}</a>`
  test.each([
    [
      "a sentence, not in the used offer",
      `<div id="merchant-info">Dispatched from and sold by Amazon.</div>
       <div id="usedAccordionRow"><div id="merchant-info">Sold by ${sold("Amazon Warehouse", "A2O")}</div></div>`,
      { seller: "Amazon", sellerId: null },
    ],
    [
      "a sentence with a link",
      `<div id="merchant-info">Verkauf durch ${sold("Lumo GmbH", "A1B2")} und Versand durch Amazon.</div>`,
      { seller: "Lumo GmbH", sellerId: "A1B2" },
    ],
    [
      "the second row of a table",
      `<table id="tabular-buybox-container"><tbody>
        <tr><td>Ships from</td><td><span class="tabular-buybox-text">Amazon.com</span></td></tr>
        <tr><td>Sold by</td><td><span class="tabular-buybox-text">${sold("Lumo", "A1B2")}</span></td></tr>
      </tbody></table>`,
      { seller: "Lumo", sellerId: "A1B2" },
    ],
    ["nothing", `<div id="merchant-info"> </div>`, { seller: null, sellerId: null }],
  ])("the seller is in %s", async (_, html, seller) => {
    const [item] = await product("co.uk", html)
    expect(item).toMatchObject(seller)
  })

  test.each([
    [
      "the table of 2022",
      `<div id="corePrice_desktop"><table>
        <tr><td>M.R.P.:</td><td><span class="a-price a-text-price" data-a-strike="true"><span class="a-offscreen">₹1,999.00</span></span></td></tr>
        <tr><td>Price:</td><td><span class="a-price a-text-price apexPriceToPay"><span class="a-offscreen">₹1,499.00</span></span></td></tr>
        <tr><td>You Save:</td><td><span class="a-price a-text-price"><span class="a-offscreen">₹500.00</span></span></td></tr>
      </table></div>`,
      { price: 1499, currency: "INR", listPrice: 1999, discountPercent: 25 },
    ],
    [
      "the page for phones",
      `<div id="sp_phone"><span class="a-price"><span class="a-offscreen">₹9.00</span></span></div>
       <div id="corePriceDisplay_mobile_feature_div">
        <span class="a-price"><span class="a-offscreen"></span><span aria-hidden="true"><span class="a-price-symbol">₹</span><span class="a-price-whole">999<span class="a-price-decimal">.</span></span><span class="a-price-fraction">50</span></span></span>
       </div>`,
      { price: 999.5, currency: "INR", listPrice: null, discountPercent: null },
    ],
    [
      "the offer without a subscription",
      `<div id="snsAccordionRowMiddle"><span class="priceToPay a-price"><span class="a-offscreen">₹900.00</span></span></div>
       <div id="newAccordionRow_0"><span class="priceToPay a-price"><span class="a-offscreen">₹1,000.00</span></span></div>
       <div id="corePriceDisplay_desktop_feature_div"><span class="a-price a-text-price apex-basisprice-value"><span class="a-offscreen">₹1,250.00</span></span></div>`,
      { price: 1000, currency: "INR", listPrice: 1250, discountPercent: 20 },
    ],
    [
      "the buy box of older books",
      `<div id="buyNewSection"><span class="offer-price">₹499.00</span></div>`,
      { price: 499, currency: "INR", listPrice: null, discountPercent: null },
    ],
  ])("the price is read in %s", async (_, html, prices) => {
    const [item] = await product("in", html)
    expect(item).toMatchObject(prices)
  })
})

test.each([
  ["de", "Verifizierter Kauf"],
  ["co.jp", "Amazonで購入"],
  ["com.tr", "Doğrulanmış Alışveriş"],
])("%s marks a verified purchase, without the badge's hook", async (domain, words) => {
  const [item] = await itemsOf(
    "amazon-reviews-scraper",
    { products: [asin], domain },
    {
      [`https://www.amazon.${domain}/dp/${asin}`]: `<span id="productTitle">A lamp</span>
        <li data-hook="review" id="R1ABCDEFGHIJK"><span class="a-icon-alt"></span>
        <i data-hook="review-star-rating">5.0</i><span>${words}</span>
        <span data-hook="review-body"><span class="review-text-content">Good.</span></span></li>`,
    },
  )
  expect(item!.verifiedPurchase).toBe(true)
})
