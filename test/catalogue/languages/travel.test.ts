import { describe, expect, test } from "bun:test"
import { listingOf } from "../../../src/catalogue/airbnb/airbnb.ts"
import { JsonReader } from "../../../src/extract/embedded/index.ts"
import { itemsOf } from "./page-run.ts"

const stay = (host: string, parts: Record<string, unknown>) =>
  listingOf(
    new JsonReader({ demandStayListing: { id: "9001" }, ...parts }),
    new URL(`https://www.${host}/s/Lisbon/homes`),
  )

const lines = (...texts: string[]) => ({
  structuredContent: { primaryLine: texts.map((body) => ({ body })) },
})

describe("a listing of Airbnb's hosts", () => {
  test.each([
    ["airbnb.com", ["1 bedroom", "2 double beds"], 1, 2],
    ["airbnb.de", ["2 Schlafzimmer", "3 Betten"], 2, 3],
    ["airbnb.es", ["2 dormitorios", "3 camas"], 2, 3],
    ["airbnb.fr", ["2 chambres", "3 lits"], 2, 3],
    ["airbnb.it", ["2 camere da letto", "3 letti"], 2, 3],
    ["airbnb.pt", ["2 quartos", "3 camas de casal"], 2, 3],
    ["airbnb.jp", ["寝室2室", "ベッド3台"], 2, 3],
    ["airbnb.com.tr", ["2 yatak odası", "3 yatak"], 2, 3],
    ["airbnb.de", ["Gastgeber ist Privatperson", "1.–6. Mai"], null, null],
  ])("%s: %j", (host, texts, bedrooms, beds) => {
    expect(stay(host, lines(...texts))).toMatchObject({ bedrooms, beds })
  })

  test.each([
    ["airbnb.com", "Condo in Panama City Beach", "Condo", "Panama City Beach"],
    ["airbnb.fr", "Appartement à Paris", "Appartement", "Paris"],
    ["airbnb.it", "Appartamento a Roma", "Appartamento", "Roma"],
    ["airbnb.jp", "大阪市のアパート", "アパート", "大阪市"],
    ["airbnb.de", "Loft", "Loft", null],
  ])("%s: %s", (host, title, roomType, city) => {
    expect(stay(host, { title })).toMatchObject({ roomType, city })
  })

  const badge = (text: string) => ({ badges: [{ text }] })
  test.each([
    [{ badges: [{ loggingContext: { badgeType: "SUPERHOST" } }] }, true, false],
    [badge("Superanfitrión"), true, false],
    [badge("Gäste-Favorit"), false, true],
    [badge("Coup de cœur voyageurs"), false, true],
    [badge("スーパーホスト"), true, false],
    [badge("Ei tunnettu merkki"), null, null],
    [{ ...badge("Ei tunnettu merkki"), passportData: { isSuperhost: true } }, true, null],
    [{}, false, false],
  ])("%j", (parts, isSuperhost, isGuestFavorite) => {
    expect(stay("airbnb.com", parts)).toMatchObject({ isSuperhost, isGuestFavorite })
  })

  test.each([
    ["airbnb.de", "540 € für 5 Nächte", 540, 5],
    ["airbnb.com.tr", "5 gece toplam 540 €", 540, 5],
    ["airbnb.pl", "540 € za 5 nocy", 540, 5],
  ])("%s: %s", (host, label, priceTotal, nights) => {
    const [price] = /540 €/.exec(label)!
    const qualifier = label.replace(price, "").trim()
    const primaryLine = { price, qualifier, accessibilityLabel: label }
    expect(stay(host, { structuredDisplayPrice: { primaryLine } })).toMatchObject({
      priceTotal,
      nights,
    })
  })
})

const rule = (name: string, text: string) =>
  `<div><div><span>${name}</span></div><div><span>${text}</span></div></div>`

describe("a hotel of Booking.com in the language of its URL", () => {
  test.each([
    ["de", "Anreise", "Abreise", "8,7 Fabelhaft 1.204 Bewertungen"],
    ["fr", "Arrivée", "Départ", "8,7 Superbe 1 204 expériences vécues"],
    ["es", "Entrada", "Salida", "8,7 Fabuloso 1.204 comentarios"],
    ["ja", "チェックイン", "チェックアウト", "8.7 すばらしい 1,204件のクチコミ"],
    ["pt-br", "Check-in", "Check-out", "8,7 Fabuloso 1.204 avaliações"],
  ])("%s", async (language, arrival, departure, score) => {
    const page = "https://www.booking.com/hotel/gb/inn"
    const [item] = await itemsOf(
      "booking-hotel-scraper",
      { hotelUrls: [`${page}.${language}.html`] },
      {
        [`${page}.html`]: `<h2 class="pp-header__title">Inn</h2>
          <div data-testid="property-description">By the sea.</div>
          <div data-testid="review-score-component">${score}</div>
          <div data-testid="house-rules"><div>${rule(arrival, "15:00 – 22:00")}${rule(departure, "07:00 – 11:00")}</div></div>
          <script>b_hotel_id: '42'</script>`,
      },
    )
    expect(item).toMatchObject({
      checkInFrom: "15:00",
      checkOutUntil: "11:00",
      reviewScore: 8.7,
      reviewCount: 1204,
    })
  })
})

test.each([
  ["$540 for 5 nights", "USD"],
  ["C$540 for 5 nights", "CAD"],
  ["540 € for 5 nights", "EUR"],
  ["$540 CAD for 5 nights", "CAD"],
])("Airbnb's price is in the currency that it shows: %s", (label, currency) => {
  const price = { structuredDisplayPrice: { primaryLine: { accessibilityLabel: label } } }
  const listing = listingOf(
    new JsonReader({ demandStayListing: { id: "9001" }, ...price }),
    new URL("https://www.airbnb.com/s/Lisbon/homes?currency=USD"),
  )
  expect(listing).toMatchObject({ priceTotal: 540, currency })
})

test.each([
  ["CA", "CAD"],
  ["GB", "GBP"],
  ["US", "USD"],
])("Craigslist's price is in the currency of %s", async (addressCountry, currency) => {
  const item = { name: "A lamp", offers: { availableAtOrFrom: { address: { addressCountry } } } }
  const list = { "@type": "ItemList", itemListElement: [{ "@type": "ListItem", item }] }
  const [posting] = await itemsOf(
    "craigslist-search-scraper",
    { city: "toronto", category: "sss" },
    {
      "https://toronto.craigslist.org/search/sss": `
        <script type="application/ld+json">${JSON.stringify(list)}</script>
        <ol><li class="cl-static-search-result" title="A lamp">
        <a href="https://toronto.craigslist.org/tor/d/a-lamp/7700000001.html">
        <div class="price">1,200</div></a></li></ol>`,
    },
  )
  expect(posting).toMatchObject({ price: 1200, currency })
})
