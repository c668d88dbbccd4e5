import { describe, expect, test } from "bun:test"
import { countedOf } from "../../../src/catalogue/tiktok/tiktok-hashtag-scraper.ts"
import { weekdayOf } from "../../../src/catalogue/yelp/page.ts"
import { itemsOf } from "./page-run.ts"

describe("the header of an Instagram profile", () => {
  test.each([
    ["671M Followers, 153 Following, 7,842 Posts - See Instagram photos and videos", 671_000_000],
    ["671 Mio. Follower, 153 gefolgt, 7.842 Beiträge – Sieh dir Fotos an", 671_000_000],
    ["671M seguidores, 153 seguidos, 7.842 publicaciones - Ver fotos", 671_000_000],
    ["671 mi seguidores, 153 seguindo, 7.842 posts – Veja as fotos", 671_000_000],
    ["11 mil seguidores, 153 seguindo, 7.842 posts – Veja as fotos", 11_000],
    ["671 M followers, 153 suivi(e)s, 7 842 publications - Voir les photos", 671_000_000],
    ["フォロワー6.7億人、フォロー中153人、投稿7,842件 - 写真と動画を見よう", 670_000_000],
    ["See Instagram photos and videos", null],
  ])("%s", async (description, followersCount) => {
    const url = "https://www.instagram.com/oneprofile/"
    const [item] = await itemsOf(
      "instagram-profile-scraper",
      { usernames: ["oneprofile"] },
      {
        [url]: `<head><meta property="og:title" content="One (@oneprofile) • Instagram">
        <meta property="og:description" content="${description}">
        <meta name="description" content="${description} auf Instagram: „Licht und Glas“"></head>
        <body><main><p>One</p></main><script>1</script></body>`,
      },
    )
    expect(item).toMatchObject({
      username: "oneprofile",
      followersCount,
      followingCount: followersCount && 153,
      postsCount: followersCount && 7842,
      biography: "Licht und Glas",
    })
  })
})

describe("a company's page on LinkedIn", () => {
  async function company(subline: string, facts = "", link = "") {
    const [item] = await itemsOf(
      "linkedin-company-scraper",
      { companies: ["one"] },
      {
        "https://www.linkedin.com/company/one": `<h1 class="top-card-layout__title">One</h1>
          <h3 class="top-card-layout__first-subline">${subline}</h3>${link}
          <div data-test-id="about-us">${facts}</div>`,
      },
    )
    return item
  }

  test.each([
    ["San Francisco, California 671,123 followers", 671_123],
    ["Berlin, Berlin 12.345 Follower:innen", 12_345],
    ["Paris, Île-de-France 12 345 abonnés", 12_345],
    ["Madrid 1.204 seguidores", 1204],
    ["東京 フォロワー数: 12,345人", 12_345],
    ["Paris 8", null],
  ])("%s", async (subline, followersCount) => {
    expect(await company(subline)).toMatchObject({ followersCount })
  })

  test.each([
    ["View all 1,234 employees", 1234],
    ["Alle 1.234 Beschäftigten anzeigen", 1234],
    ["Voir les 1 234 employés", 1234],
    ["Ver todos os 1.234 funcionários", 1234],
  ])("%s", async (text, employeesOnLinkedIn) => {
    expect(await company("", "", `<a href="/login">${text}</a>`)).toMatchObject({
      employeesOnLinkedIn,
    })
  })

  test.each([
    ["Glass, Light, and Lamps", ["Glass", "Light", "Lamps"]],
    ["Glas, Licht und Lampen", ["Glas", "Licht", "Lampen"]],
    ["Verre et lumière", ["Verre", "lumière"]],
    ["Vidrio, luz y lámparas", ["Vidrio", "luz", "lámparas"]],
    ["ガラス、照明、ランプ", ["ガラス", "照明", "ランプ"]],
  ])("%s", async (text, specialties) => {
    const facts = `<dl data-test-id="about-us__specialties"><dd>${text}</dd></dl>`
    expect(await company("", facts)).toMatchObject({ specialties })
  })
})

test.each([
  ["en", "Yelpers report this location has closed.", true],
  ["en", "Open now", false],
  ["de", "Jetzt geöffnet", null],
])("whether a business on Yelp (%s) is permanently closed: %s", async (language, line, closed) => {
  const [item] = await itemsOf(
    "yelp-business-scraper",
    { businessUrls: ["https://www.yelp.com/biz/one"] },
    {
      "https://www.yelp.com/biz/one": `<html lang="${language}"><head><meta name="yelp-biz-id" content="abc">
        <link rel="canonical" href="https://www.yelp.com/biz/one"></head><body><h1>One</h1>
        <p>${line}</p><p>Phone number</p><p>(415) 555-0100</p>
        <script type="application/ld+json">{"@type":"Restaurant","name":"One",
        "address":{"streetAddress":"1 Main St","addressLocality":"Springfield"}}</script></body></html>`,
    },
  )
  expect(item).toMatchObject({ closed })
})

describe("a business on Yelp's hosts", () => {
  test.each([
    [
      "yelp.de",
      "Telefonnummer",
      "Wegbeschreibung",
      "Jetzt geöffnet",
      ["Mo", "Di", "So"],
      "Geschlossen",
    ],
    [
      "yelp.fr",
      "Numéro de téléphone",
      "Itinéraire",
      "Ouvert maintenant",
      ["lun.", "mar.", "dim."],
      "Fermé",
    ],
    [
      "yelp.es",
      "Número de teléfono",
      "Cómo llegar",
      "Abierto ahora",
      ["lun", "mar", "dom"],
      "Cerrado",
    ],
    ["yelp.co.jp", "電話番号", "ルート", "営業中", ["月", "火", "日"], "定休日"],
  ])("%s", async (host, phone, directions, open, [monday, tuesday, sunday], closed) => {
    const url = `https://www.${host}/biz/one`
    const day = (name: string, text: string) =>
      `<tr><th><p>${name}</p></th><td><p>${text}</p></td></tr>`
    const [item] = await itemsOf(
      "yelp-business-scraper",
      { businessUrls: [url] },
      {
        [url]: `<head><meta name="yelp-biz-id" content="abc"><link rel="canonical" href="${url}"></head>
        <body><h1>One</h1><p>${phone}</p><p>030 1234567</p>
        <p><a>${directions}</a></p><p>Lampenweg 3</p><p>${open}</p>
        <table>${day(monday!, "9:00 - 17:00")}${day(tuesday!, "9:00 - 18:00")}${day(sunday!, closed)}</table>
        </body>`,
      },
    )
    expect(item).toMatchObject({
      phone: "030 1234567",
      openNow: true,
      hours: { mon: "9:00 - 17:00", tue: "9:00 - 18:00", sun: closed, wed: null },
      address: { formatted: "Lampenweg 3" },
    })
  })

  test.each([
    ["Mon", "mon"],
    ["Donnerstag", "thu"],
    ["do.", "thu"],
    ["mié", "wed"],
    ["seg.", "mon"],
    ["月曜日", "mon"],
    ["Open now", null],
  ] as const)("%s", (text, day) => {
    expect(weekdayOf(text)).toBe(day)
  })
})

test.each([
  ["Digitaler Download", true],
  ["Téléchargement numérique", true],
  ["デジタルダウンロード", true],
  ["Handgemacht", null],
])("a listing of Etsy in the visitor's language: %s", async (text, isDigital) => {
  const [item] = await itemsOf(
    "etsy-product-scraper",
    { urls: ["1234567890"] },
    {
      "https://www.etsy.com/listing/1234567890": `<body><h1 data-buy-box-listing-title>One</h1><p>${text}</p>
      <script type="application/ld+json">{"@type":"Product","name":"One","offers":{"price":"5","priceCurrency":"EUR"}}</script></body>`,
    },
  )
  expect(item).toMatchObject({ isDigital, price: 5 })
})

test.each([
  ["1.2M views", 1_200_000, null],
  ["34.5K posts", null, 34_500],
  ["1,2 Mio. Aufrufe", 1_200_000, null],
  ["34,5 Tsd. Beiträge", null, 34_500],
  ["34.5万件の投稿", null, 345_000],
  ["1,2 млн просмотров", 1_200_000, null],
  ["1.2M", null, null],
])("a tag on TikTok has %s", (visible, views, videos) => {
  expect(countedOf(visible)).toEqual({ views, videos })
})
