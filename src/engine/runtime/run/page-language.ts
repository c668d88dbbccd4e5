import type { PageOptions, UpstreamResponse } from "../../../catalogue/kit/index.ts"

/** Declarations of a page's language are at its start. */
const maxStart = 4000
const declared = /<html\b[^>]{0,1000}?\slang=["']?([a-z]{2,3})(?![a-z])/i

/**
 * Returns the language of a page that was requested in English but declares another one; null for
 * all other pages. Some sites choose the language by the IP address.
 */
export function otherLanguage(response: UpstreamResponse, options: PageOptions): string | null {
  const headers = Object.entries(options.headers ?? {})
  const requested = headers.find(([name]) => name.toLowerCase() === "accept-language")?.[1]
  if (!/^en\b/i.test(requested ?? "")) return null
  const language = declared.exec(response.text().slice(0, maxStart))?.[1]?.toLowerCase()
  return language === undefined || language === "en" ? null : language
}
