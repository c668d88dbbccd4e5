import { absoluteUrl, distinct } from "../core/index.ts"
import {
  nodesAt,
  type SchemaNode,
  type StructuredData,
  textOfAny,
  valuesOf,
  valueText,
  valueUrl,
} from "../structured/index.ts"

/** The images of a product, absolute, each once. */
export function imagesOf(data: StructuredData, node: SchemaNode, pageUrl: string): string[] {
  const urls = valuesOf(data, node, "image").map((value) => absoluteUrl(valueUrl(value), pageUrl))
  return distinct(urls.filter((url) => url !== null))
}

/** `additionalProperty` as name to value. */
export function attributesOf(data: StructuredData, node: SchemaNode): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const property of nodesAt(data, node, "additionalProperty")) {
    const name = textOfAny(data, property, "name", "propertyID")
    const value = valuesOf(data, property, "value").map(valueText).filter(Boolean).join(", ")
    if (name && value) attributes[name] ??= value
  }
  return attributes
}
