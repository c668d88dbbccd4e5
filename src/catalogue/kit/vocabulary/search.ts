/**
 * Returns the host of a URL without `www.`; null for other texts.
 * @example siteOf("https://www.example.com/a") // "example.com"
 */
export function siteOf(address: string): string | null {
  return URL.parse(address)?.hostname.replace(/^www\./, "") ?? null
}

export interface NamedLink {
  title: string
  url: string
}
