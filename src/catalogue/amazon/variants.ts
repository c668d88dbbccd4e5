import { firstAttribute, firstText, plainText, textList } from "../../extract/core/index.ts"
import { JsonReader, jsonAfter } from "../../extract/embedded/index.ts"
import { amountOf } from "../kit/index.ts"
import { type AmazonDomain, priceHints } from "./amazon.ts"

interface Variant {
  asin: string
  options: Record<string, string>
  price: number | null
}

/** Returns the variants of the page's variants table, or else those of its swatches. */
export function variantsOf(document: Document, html: string, asin: string, domain: AmazonDomain) {
  const swatches = swatchesOf(document, domain)
  const table = tableOf(html, new Map(swatches.map((swatch) => [swatch.asin, swatch.price])))
  const variants = table.length > 0 ? table : swatches
  const own = variants.find((variant) => variant.asin === asin)
  return { variants, selectedVariant: selectedOf(document) ?? own?.options }
}

/** `dimensionValuesDisplayData` has the values in the order of `dimensions`. */
function tableOf(html: string, prices: Map<string, number | null>): Variant[] {
  const values = new JsonReader(jsonAfter(html, /["']dimensionValuesDisplayData["']/))
  const labels = new JsonReader(jsonAfter(html, /["']variationDisplayLabels["']/))
  const dimensions = textList(jsonAfter(html, /["']dimensions["']\s*:\s*(?=\[)/))
  return values.entries().flatMap(([asin, { root }]) => {
    if (!/^[A-Z0-9]{10}$/.test(asin)) return []
    const options = textList(root).map((value, index) => {
      const dimension = dimensions[index] ?? `option${index + 1}`
      return [labels.title(dimension) ?? dimension, value]
    })
    return { asin, options: Object.fromEntries(options), price: prices.get(asin) ?? null }
  })
}

function swatchesOf(document: Document, domain: AmazonDomain): Variant[] {
  const variants = new Map<string, Variant>()
  for (const row of document.querySelectorAll('[id^="inline-twister-row-"]')) {
    const dimension = dimensionOf(row)
    for (const swatch of row.querySelectorAll("li[data-asin]")) {
      const asin = swatch.getAttribute("data-asin") ?? ""
      const value =
        firstAttribute(swatch, "img[alt]", "alt") ??
        firstText(swatch, ".swatch-title-text-display", ".swatch-title-text", ".a-button-text")
      if (!/^[A-Z0-9]{10}$/.test(asin) || !value || variants.has(asin)) continue
      const text = firstText(swatch, ".a-price:not([data-a-strike]) [aria-hidden]", ".a-price")
      const price = amountOf(text, priceHints(domain))
      variants.set(asin, { asin, options: { [dimension]: value }, price })
    }
  }
  return [...variants.values()]
}

/** Returns "Color" for "Color: black". */
function dimensionOf(row: Element): string {
  const title = firstText(row, '[id^="inline-twister-dim-title-"]')
  return title?.split(/[:：]/)[0]?.trim() || row.id.replace(/^inline-twister-row-/, "")
}

function selectedOf(document: Document): Record<string, string> | null {
  const selected: Record<string, string> = {}
  for (const row of document.querySelectorAll('[id^="inline-twister-row-"]')) {
    const value = plainText(row.querySelector('[id^="inline-twister-expanded-dimension-text-"]'))
    if (value) selected[dimensionOf(row)] = value
  }
  return Object.keys(selected).length > 0 ? selected : null
}
