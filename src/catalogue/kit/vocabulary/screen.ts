import { titleOrNull } from "../../../extract/core/index.ts"
import { JsonReader } from "../../../extract/embedded/index.ts"
import { isOfType, readStructuredData } from "../../../extract/structured/index.ts"

/** The page's own JSON-LD node of one of these types that has a name. */
export function screenNode(
  document: Document,
  url: string,
  types: readonly string[],
): JsonReader | undefined {
  return readStructuredData(document, url)
    .jsonLd.filter((entity) => isOfType(entity.data, ...types))
    .map((entity) => new JsonReader(entity.data))
    .find((node) => node.title("name") !== null)
}

/** The values of a node's property, be they one or a list. */
export function nodesOf(node: JsonReader, property: string): JsonReader[] {
  const value = node.value(property)
  return Array.isArray(value) ? node.list(property) : value ? [node.in(property)] : []
}

/** The texts of a node's property, be they one or a list. */
export function textsOf(node: JsonReader, property: string): string[] {
  const value = node.value(property)
  return (Array.isArray(value) ? value : [value]).flatMap((entry) => titleOrNull(entry) ?? [])
}

/** The address of a picture: a text, or a node's `url`. */
export function pictureOf(node: JsonReader): string | null {
  const picture = nodesOf(node, "image")[0]
  return node.text("image") ?? node.text("image", 0) ?? picture?.text("url") ?? null
}

/** Minutes of a running time: "PT2H8M", "2h 8m", "1 hr 48 min". Null when it is none. */
export function runtimeMinutes(text: string | null): number | null {
  const match = /^(?:PT)?\s*(?:(\d+)\s*h(?:rs?|ours?)?)?\.?\s*(?:(\d+)\s*m)?/i.exec(text ?? "")
  if (!match?.[1] && !match?.[2]) return null
  return Number(match[1] ?? 0) * 60 + Number(match[2] ?? 0)
}

/** Digits of a number in words such as "82%" or "7.90"; null where there are none. */
export function scoreOf(text: string | null): number | null {
  const number = Number.parseFloat(text ?? "")
  return Number.isFinite(number) ? number : null
}
