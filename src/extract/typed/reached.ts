import { foldSpace } from "../core/index.ts"
import { termOf } from "./terms/terms.ts"
import type { Candidate } from "./things.ts"

const schemes: Record<string, string> = { phone: "tel", email: "mailto" }
const maxLinks = 500

/** Yields the phone number or email address of a page's links, if all have the same. */
export function* reachedBy(name: string, document: Document): Generator<Candidate> {
  const scheme = schemes[termOf(name)?.names[0] ?? ""]
  if (!scheme) return
  const byKey = new Map<string, string>()
  let seen = 0
  for (const link of document.querySelectorAll(`a[href^="${scheme}:" i]`)) {
    if (++seen > maxLinks) return
    const written = decoded(
      link
        .getAttribute("href")!
        .slice(scheme.length + 1)
        .split("?")[0]!,
    ).trim()
    const key = scheme === "tel" ? written.replace(/\D+/g, "") : written.toLowerCase()
    // A mail that is sent on to a friend has no address.
    if (key === "" || byKey.has(key)) continue
    const visible = foldSpace(link.textContent ?? "")
    const isSame = scheme === "tel" && visible.length < 40 && visible.replace(/\D+/g, "") === key
    byKey.set(key, isSame ? visible : written)
  }
  if (byKey.size === 1) yield { raw: [...byKey.values()][0]!, source: "block", at: `${scheme}:` }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
