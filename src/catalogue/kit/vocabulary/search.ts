/**
 * Returns the host of a URL without `www.`; null for other texts.
 * @example siteOf("https://www.example.com/a") // "example.com"
 */
export function siteOf(url: string): string | null {
  return URL.parse(url)?.hostname.replace(/^www\./, "") ?? null
}

export interface NamedLink {
  title: string
  url: string
}
