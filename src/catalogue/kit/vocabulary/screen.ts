import { titleOrNull } from "../../../extract/core/index.ts"
import { type SchemaReader, schemaNodes } from "../../../extract/structured/index.ts"

/**
 * Returns the first JSON-LD node of the page that has one of these types and a name.
 * @example screenNode(document, ["Movie", "TVSeries"])?.title("name") // "The Matrix"
 */
export function screenNode(document: Document, types: readonly string[]): SchemaReader | undefined {
  return schemaNodes(document).find(
    (node) => node.isOfType(...types) && node.title("name") !== null,
  )
}

/**
 * Returns the texts of a node's property, with decoded entities.
 * @example textsOf(node, "genre") // ["Action", "Sci-Fi"]
 */
export const textsOf = (node: SchemaReader, property: string): string[] =>
  node.texts(property).flatMap((text) => titleOrNull(text) ?? [])

/**
 * Returns the URL of an image, which is a text or a node with a `url`.
 * @example imageOf(node) // "https://img.example/poster.jpg"
 */
export const imageOf = (node: SchemaReader): string | null =>
  node.text("image") ?? node.text("image", "url")

/**
 * Returns the minutes of a running time: "PT2H8M", "2h 8m", "1 hr 48 min"; null for other texts.
 * @example runtimeMinutes("PT2H8M") // 128
 */
export function runtimeMinutes(text: string | null): number | null {
  const match = /^(?:PT)?\s*(?:(\d+)\s*h(?:rs?|ours?)?)?\.?\s*(?:(\d+)\s*m)?/i.exec(text ?? "")
  if (!match?.[1] && !match?.[2]) return null
  return Number(match[1] ?? 0) * 60 + Number(match[2] ?? 0)
}

/**
 * Returns the number in a text such as "82%" or "7.90"; null without digits.
 * @example scoreOf("82%") // 82
 */
export function scoreOf(text: string | null): number | null {
  const number = Number.parseFloat(text ?? "")
  return Number.isFinite(number) ? number : null
}
