import { cutBetween, cutElements, cutTags } from "./cutting.ts"
import { namedEntities } from "./named-entities.ts"

/** Decodes character references once: `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]+|#\d+|[a-z][a-z0-9]*);?/gi, (whole, name: string) => {
    if (name[0] === "#") {
      const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
    }
    return whole.endsWith(";") ? (namedEntities[name] ?? whole) : whole
  })
}

/**
 * Returns whether a text has no white space but single spaces, as most texts. A few signs of its own count
 * as white space too, so a text that fails may be even as well.
 */
export function isEven(text: string): boolean {
  let last = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 33 ? code !== 32 || last === 32 : code >= 160 && maybeSpace(code)) return false
    last = code
  }
  return true
}

const maybeSpace = (code: number) =>
  code === 0xa0 ||
  code === 0x1680 ||
  (code >= 0x2000 && code <= 0x205f) ||
  code === 0x3000 ||
  code === 0xfeff

/** Returns whether a text is nothing but white space. */
export function isBlank(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 32 || (code >= 9 && code <= 13)) continue
    return code >= 160 && !/\S/.test(text)
  }
  return true
}

/** Returns an even text without the spaces at its ends. */
export const withoutEnds = (text: string): string =>
  text.charCodeAt(0) === 32 || text.charCodeAt(text.length - 1) === 32 ? text.trim() : text

/** White space of all kinds folded to single spaces, ends trimmed. */
export function foldSpace(text: string): string {
  return isEven(text) ? withoutEnds(text) : text.replace(/[\s\u200b]+/g, " ").trim()
}

/** A text as it is, or null if it is missing or empty; numbers become texts. */
export function textOrNull(value: unknown): string | null {
  if (typeof value === "number") return String(value)
  if (typeof value !== "string") return null
  return value.trim() === "" ? null : value
}

/** Returns the strings of a list; `[]` if the value is not a list. */
export function textList(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : []
}

/** The objects of a list; one alone stands for a list of one. `[]` if there is none. */
export function objectList<T extends object>(
  value: readonly (T | null | undefined)[] | null | undefined,
): T[] {
  return (Array.isArray(value) ? value : [value]).filter(
    (item): item is T => typeof item === "object" && item !== null && !Array.isArray(item),
  )
}

/** Returns the strings of an object by key; `{}` if the value is not an object. */
export function textRecord(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(Object.entries(value).filter(([, text]) => typeof text === "string"))
}

/** A title or name: entities decoded, white space folded; null if empty. */
export function titleOrNull(value: unknown): string | null {
  const text = textOrNull(value)
  return text === null ? null : textOrNull(foldSpace(decodeEntities(text)))
}

/** Elements whose content is never shown. */
export const unseenElements = ["script", "style", "noscript", "template"]

const paragraphs = "p|div|h[1-6]|blockquote|pre|ul|ol|dl|table|section|article"
const lines = "li|tr|dt|dd"
/** End tags may be left out, and text before a list is not part of it. */
const begins = (names: string) =>
  new RegExp(`(?= ?<(?:${names})[\\s>])(?<=[^\\s>]|</(?:a|b|em|i|span|strong|u)>) ?`, "gi")
const ends = (names: string) => new RegExp(`</(?:${names})\\s*>`, "gi")
const paragraphBegins = begins(paragraphs)
const paragraphEnds = ends(paragraphs)
const lineBegins = begins(lines)
const lineEnds = ends(lines)

/**
 * Plain text of an HTML fragment: line breaks for `<br>` and block ends, markup gone, entities
 * decoded once, line ends trimmed. Null if nothing is left.
 */
export function htmlToText(html: unknown): string | null {
  if (typeof html !== "string") return null
  const text = cutBetween(cutElements(html, unseenElements), "<!--", "-->")
    .replace(/\s+/g, " ")
    .replace(paragraphBegins, "\n\n")
    .replace(lineBegins, "\n")
    .replace(/ ?<br(?:\s[^<>]*)?\/?> ?/gi, "\n")
    .replace(paragraphEnds, "\n\n")
    .replace(lineEnds, "\n")
  return textOrNull(
    decodeEntities(cutTags(text))
      .replace(/\u00a0/g, " ")
      .replace(/(?<![ \t])[ \t]+\n/g, "\n")
      .replace(/\n[ \t]+/g, "\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim(),
  )
}

/** Hashtags of a text without `#`, in order, each once. */
export function hashtags(text: string | null): string[] {
  return distinct(
    [...(text ?? "").matchAll(/(?<![\p{L}\p{N}_&])#([\p{L}\p{N}_]+)/gu)].map((m) => m[1]!),
  )
}

/** Names mentioned as `@name`, without `@`, in order, each once. */
export function mentions(text: string | null): string[] {
  return distinct(
    [
      ...(text ?? "").matchAll(
        /(?<![\p{L}\p{N}_.])@([\p{L}\p{N}_](?:[\p{L}\p{N}_.]*[\p{L}\p{N}_])?)/gu,
      ),
    ].map((m) => m[1]!),
  )
}

/** Values in their order, each once. */
export function distinct<T>(values: Iterable<T>): T[] {
  return [...new Set(values)]
}

/** The rows whose key has not been seen; their keys count as seen from now on. */
export function unseen<T>(rows: readonly T[], seen: Set<string>, keyOf: (row: T) => string): T[] {
  return rows.filter((row) => {
    const key = keyOf(row)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}
