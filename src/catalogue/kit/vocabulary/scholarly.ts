import { decodeEntities, foldSpace, textOrNull } from "../../../extract/core/index.ts"
import type { Context } from "../context.ts"

/**
 * Returns the operator's email address, which the scholarly services ask for; undefined if unset.
 */
export function contactEmail(ctx: Context): string | undefined {
  const contact = ctx.secret("TRAWL_CONTACT")?.replace(/^mailto:/i, "")
  return contact && /^[^\s@]+@[^\s@]+$/.test(contact) ? contact : undefined
}

/** Returns the DOI in `10.…/…`, `doi:10.…` or a doi.org URL; null for other texts. */
export function doiOf(text: string): string | null {
  const plain = text
    .trim()
    .replace(/^doi:\s*/i, "")
    .replace(/^(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/(.+)$/i, (_, path: string) => decoded(path))
  return /^10\.\d{4,9}\/\S+$/.test(plain) ? plain : null
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

// Matches only what looks like a tag: titles have "p < 0.05" as well.
const tag = /<\/?[a-z][^<>]*>/gi

/** Returns a title without its markup (`<i>`, `<sub>`, MathML), on one line. */
export function plainTitle(value: unknown): string | null {
  if (typeof value !== "string") return null
  return textOrNull(foldSpace(decodeEntities(value.replace(tag, ""))))
}

/** Returns an abstract without its HTML or JATS tags; blank lines separate its paragraphs. */
export function plainAbstract(value: unknown): string | null {
  if (typeof value !== "string") return null
  const paragraphs = value
    .replace(/<\/(?:jats:)?(?:p|title|sec|list-item|li)\s*>/gi, "\u0000")
    .replace(tag, "")
    .split("\u0000")
    .map((paragraph) => foldSpace(decodeEntities(paragraph)))
  return textOrNull(paragraphs.filter(Boolean).join("\n\n"))
}
