import { absoluteUrl } from "./html.ts"

export interface PageIcon {
  url: string
  rel: string
  type: string | null
  sizes: string | null
}

/** The icons that a page names; none is guessed. */
export function pageIcons(document: Document, base: string): PageIcon[] {
  const selector =
    "link[rel~=icon i][href], link[rel~=apple-touch-icon i][href], link[rel~=apple-touch-icon-precomposed i][href], link[rel~=mask-icon i][href]"
  return [...document.querySelectorAll(selector)].flatMap((link) => {
    const url = absoluteUrl(link.getAttribute("href"), base)
    return url === null
      ? []
      : [
          {
            url,
            rel: link.getAttribute("rel")!.trim().toLowerCase(),
            type: link.getAttribute("type"),
            sizes: link.getAttribute("sizes"),
          },
        ]
  })
}

/** The address of the first `<link>` of a relation. */
export function linkOf(document: Document, relation: string, base: string): string | null {
  for (const link of document.querySelectorAll(`link[rel~=${relation} i][href]`)) {
    const url = absoluteUrl(link.getAttribute("href"), base)
    if (url !== null) return url
  }
  return null
}
