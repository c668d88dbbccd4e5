import { absoluteUrl, titleOrNull } from "../core/index.ts"
import { type MetaTags, metaContent } from "../page/index.ts"
import { availabilityOf, currencyOf, type Locale, parsePrice } from "../price/index.ts"
import { known, type ProductFacts } from "./facts.ts"
import { conditionOf } from "./offers.ts"
import { gtinOf, statedGtin } from "./text/ids.ts"

/** Returns the facts of the Open Graph, Facebook and Twitter tags of a product's page. */
export function metaFacts(meta: MetaTags, pageUrl: string, locale: Locale): ProductFacts {
  const text = (...names: string[]) => titleOrNull(metaContent(meta, ...names))
  const currency = currencyOf(
    text("product:price:currency", "og:price:currency", "product:sale_price:currency"),
    locale,
  )
  const written =
    text(
      "product:sale_price:amount",
      "product:price:amount",
      "og:price:amount",
      "product:price",
      "og:price",
    ) ?? twitterPrice(meta)
  const amount = written === null ? null : amountOf(written, currency, locale)
  const original = text("product:original_price:amount", "og:price:standard_amount")
  const image = absoluteUrl(
    metaContent(meta, "og:image:secure_url", "og:image", "twitter:image"),
    pageUrl,
  )
  return known({
    name: text("og:title", "twitter:title"),
    brand: text("product:brand", "og:brand"),
    description: text("og:description", "description", "twitter:description"),
    sku: text("product:retailer_item_id", "product:sku"),
    mpn: text("product:mfr_part_no"),
    gtin: gtinIn(gtinNames.map((name) => text(name, `og:${name.slice("product:".length)}`))),
    price: amount?.amount ?? null,
    currency: currency ?? amount?.currency ?? null,
    listPrice: original === null ? null : (amountOf(original, currency, locale)?.amount ?? null),
    availability: availabilityOf(text("product:availability", "og:availability")),
    condition: conditionOf(text("product:condition", "og:condition")),
    category: text("product:category"),
    images: image ? [image] : null,
  })
}

/** One name for each kind of code that shops' plugins write. */
const gtinNames = "gtin gtin14 gtin13 gtin12 gtin8 ean ean13 upc isbn barcode"
  .split(" ")
  .map((name) => `product:${name}`)

/** The first whose check digit is right, else the first that has the form of one. */
function gtinIn(texts: (string | null)[]): string | null {
  const stated = texts.flatMap((text) => statedGtin(text) ?? [])
  return stated.find((code) => gtinOf(code) !== null) ?? stated[0] ?? null
}

function amountOf(written: string, currency: string | null, locale: Locale) {
  const plain = /^\d+(?:\.\d{1,2})?$/.test(written) ? Number(written) : null
  return plain === null ? parsePrice(written, { ...locale, currency }) : { amount: plain, currency }
}

/** Twitter cards carry pairs of labels and values. */
function twitterPrice(meta: MetaTags): string | null {
  for (const number of [1, 2]) {
    const label = metaContent(meta, `twitter:label${number}`) ?? ""
    const value = metaContent(meta, `twitter:data${number}`)
    if (/price|preis|prix|precio|prezzo|cena|hinta/i.test(label) && value) return value
  }
  return null
}
