/** The host of an address without `www.`; null for what is no address. */
export function siteOf(address: string): string | null {
  return URL.parse(address)?.hostname.replace(/^www\./, "") ?? null
}

export interface NamedLink {
  title: string
  url: string
}
