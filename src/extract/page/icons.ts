import { absoluteUrl } from "../core/index.ts"

export interface PageIcon {
  url: string
  rel: string
  type: string | null
  sizes: string | null
}

/** The icons that a page names; none is guessed. */
export function pageIcons(document: Document, base: string): PageIcon[] {
  const selector =
    "link[rel~=icon i][href], link[rel~=apple-touch-icon i][href], " +
    "link[rel~=apple-touch-icon-precomposed i][href], link[rel~=mask-icon i][href]"
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

/** Returns the page's icon; one for home screens or pinned tabs only if it has no other. */
export function favicon(document: Document, base: string): string | null {
  const icons = pageIcons(document, base)
  const icon = icons.find(({ rel }) => rel.split(/\s+/).includes("icon")) ?? icons[0]
  return icon?.url ?? null
}

/** The URL of the first `<link>` of a relation. */
export function linkOf(document: Document, relation: string, base: string): string | null {
  for (const link of document.querySelectorAll(`link[rel~=${relation} i][href]`)) {
    const url = absoluteUrl(link.getAttribute("href"), base)
    if (url !== null) return url
  }
  return null
}
