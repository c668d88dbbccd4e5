import { isNode, type SchemaNode, valueText } from "../structured/index.ts"

const parts = ["streetAddress", "postalCode", "addressLocality", "addressRegion", "addressCountry"]
const deepest = 6

/** Returns a value of structured data as one text: a thing by its name, a step by its instruction. */
export function nodeText(value: unknown, depth = 0): string | null {
  if (!isNode(value) || depth > deepest) return isNode(value) ? null : valueText(value)
  const type = String(value["@type"] ?? "")
  const first = /^HowTo|Answer|Comment/.test(type) ? ["text", "name"] : ["name", "text"]
  const named = [...first, "reviewBody", "headline", "title", "label", "caption"]
  for (const property of named) {
    const text = inner(value, property, depth)
    if (text !== null) return text
  }
  const url = parts.flatMap((part) => inner(value, part, depth) ?? [])
  if (url.length > 0) return [...new Set(url)].join(", ")
  return (
    inner(value, "address", depth) ??
    amountText(value, depth) ??
    inner(value, "url", depth) ??
    inner(value, "contentUrl", depth) ??
    inner(value, "@value", depth)
  )
}

function amountText(value: SchemaNode, depth: number): string | null {
  const at = (property: string) => inner(value, property, depth)
  const span = [at("minValue"), at("maxValue")].filter((one) => one !== null)
  const amount = at("value") ?? at("price") ?? at("ratingValue") ?? (span.join(" – ") || null)
  if (amount === null) return null
  const unit = at("unitText") ?? at("priceCurrency") ?? at("currency")
  return unit === null ? amount : `${amount} ${unit}`
}

function inner(value: SchemaNode, property: string, depth: number): string | null {
  const match = value[property]
  const one = Array.isArray(match) ? match[0] : match
  return one === undefined || one === null ? null : nodeText(one, depth + 1)
}
