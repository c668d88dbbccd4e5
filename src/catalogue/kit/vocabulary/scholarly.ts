import type { Context } from "../context.ts"
import { decodedPath } from "../core/targets.ts"

/**
 * Returns the operator's email address, if it is set, which the scholarly services request.
 * @example query: { mailto: contactEmail(ctx) }
 */
export function contactEmail(ctx: Context): string | undefined {
  const contact = ctx.secret("TRAWL_CONTACT")?.replace(/^mailto:/i, "")
  return contact && /^[^\s@]+@[^\s@]+$/.test(contact) ? contact : undefined
}

/**
 * Returns the DOI in `10.…/…`, `doi:10.…` or a doi.org URL; null for other texts.
 * @example doiOf("https://doi.org/10.1000/xyz") // "10.1000/xyz"
 */
export function doiOf(text: string): string | null {
  const plain = text
    .trim()
    .replace(/^doi:\s*/i, "")
    .replace(/^(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/(.+)$/i, (_, path: string) =>
      decodedPath(path),
    )
  return /^10\.\d{4,9}\/\S+$/.test(plain) ? plain : null
}
