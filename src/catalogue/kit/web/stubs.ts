import { lineText } from "../../../extract/core/index.ts"
import { headerRedirect, normaliseUrl, refreshTarget } from "../../../extract/links/index.ts"
import type { Answer } from "../context.ts"
import { wallOf } from "./readable.ts"

/** A page with less text that refreshes to another one only stands for it. */
const stubText = 300

/** Where a page that only stands for another one sends its reader; null for any other, and for a wall. */
export function leadsTo(answer: Answer): string | null {
  if (!isHtml(answer)) return null
  const { document, url, status, headers } = answer
  const target = headerRedirect(status, headers, url)?.url ?? refreshTarget(document, url)
  if (target === null || normaliseUrl(target) === normaliseUrl(url)) return null
  if (lineText(document.body).length > stubText || wallOf(answer) !== null) return null
  return target
}

export function isHtml(answer: Answer): boolean {
  return /^(?:text\/html|application\/xhtml\+xml|)$/.test(answer.contentType)
}
