import { absoluteUrl, plainText, words } from "../core/index.ts"
import { availabilityInText, currencyOf, type Locale, parsePrice } from "../price/index.ts"
import { known, type ProductFacts } from "./facts.ts"
import { type ShopRule, shopRules } from "./shop-rules.ts"
import { visitTheShop } from "./text/words.ts"

/** Returns the facts on the page of a shop with its own rules; null for all other shops. */
export function shopFacts(
  document: Document,
  pageUrl: string,
  locale: Locale,
): ProductFacts | null {
  const { hostname } = new URL(pageUrl)
  const rule = shopRules.find(({ host }) => host.test(hostname))
  const name = rule && firstOf(document, rule.name)
  if (!rule || !name) return null
  const price = priceIn(document, rule.price, locale)
  const listPrice = priceIn(document, rule.listPrice ?? [], locale)
  const stock = firstOf(document, rule.availability ?? [])
  const image = absoluteUrl(firstOf(document, rule.images ?? []), pageUrl)
  return known({
    name,
    brand: brandIn(document, rule),
    sku: firstOf(document, rule.sku ?? []),
    price: price?.amount ?? null,
    currency: price ? (price.currency ?? currencyOf(price.sign, locale)) : null,
    priceText: price?.text ?? null,
    listPrice: listPrice && price && listPrice.amount > price.amount ? listPrice.amount : null,
    availability: stock ? availabilityInText(stock) : null,
    images: image ? [image] : null,
  })
}

/** The text, or the attribute, of the first element that holds one. */
function firstOf(document: Document, selectors: string[]): string | null {
  for (const selector of selectors) {
    const [path, attribute] = selector.split("@")
    for (const element of document.querySelectorAll(path!)) {
      const value = attribute ? element.getAttribute(attribute)?.trim() : plainText(element)
      if (value) return value
    }
  }
  return null
}

function priceIn(document: Document, selectors: string[], locale: Locale) {
  for (const selector of selectors) {
    const text = firstOf(document, [selector])
    const price = text ? parsePrice(text, locale) : null
    if (price && price.amount > 0) return { ...price, text: text! }
  }
  return null
}

const storeLink = new RegExp(
  String.raw`^(?:${words(visitTheShop)})\s+(.+?)(?:\s*[- ]?(?:store|shop|winkel|butik(?:en)?))?$`,
  "i",
)
const brandLabel = /^(?:brand|marke|marque|marca|merk|marka|märke)\s*:\s*/i

/** "Visit the Tefal Store", "Marke: Oceana" and their like are Tefal and Oceana. */
function brandIn(document: Document, rule: ShopRule): string | null {
  const text = firstOf(document, rule.brand ?? [])
  if (!text) return null
  const store = storeLink.exec(text)
  return (store?.[1] ?? text.replace(brandLabel, "")).trim() || null
}
