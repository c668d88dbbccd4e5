import { absoluteUrl, baseUrl } from "../core/index.ts"

/** The URLs that the page names as its own, absolute, each once; the first one counts. */
export function canonicalUrls(document: Document, pageUrl: string): string[] {
  const base = baseUrl(document, pageUrl)
  const links = [...document.querySelectorAll("link[rel~=canonical i][href]")]
    .map((link) => absoluteUrl(link.getAttribute("href"), base))
    .filter((url) => url !== null)
  return [...new Set(links)]
}

export function canonicalUrl(document: Document, pageUrl: string): string | null {
  return canonicalUrls(document, pageUrl)[0] ?? null
}
