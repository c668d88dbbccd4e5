import { absoluteUrl, baseUrl, textOf, words } from "../core/index.ts"
import { isPageUrl, normaliseUrl, sameSite } from "../links/index.ts"
import { contactPages, contactPagesByWord } from "./words.ts"

const beginning = String.raw`(?<![\p{L}\p{N}])`
const named = new Map([
  ...contactPages.map(([kind, names]) => [
    kind,
    new RegExp(`${beginning}(?:${words(names)})`, "iu"),
  ]),
  ...contactPagesByWord.map(([kind, names]) => [
    kind,
    new RegExp(String.raw`${beginning}(?:${words(names)})\b`, "iu"),
  ]),
] as [kind: string, name: RegExp][])

export interface ContactLink {
  kind: string
  url: string
}

/** The links of a page to such pages of the same site, each once, likeliest kind first. */
export function contactLinks(
  document: Document,
  pageUrl: string,
  kinds: readonly string[],
): ContactLink[] {
  const base = baseUrl(document, pageUrl)
  const own = normaliseUrl(pageUrl).replace(/\/$/, "")
  const links = new Map<string, ContactLink & { rank: number }>()
  for (const anchor of document.querySelectorAll("a[href]")) {
    const href = absoluteUrl(anchor.getAttribute("href"), base)
    if (href === null || !sameSite(href, pageUrl) || !isPageUrl(href)) continue
    const url = normaliseUrl(href)
    const key = url.replace(/\/$/, "")
    if (key === own || links.has(key)) continue
    const kind = kindOf(textOf(anchor) ?? "", new URL(url).pathname, kinds)
    if (kind !== null) links.set(key, { kind, url, rank: kinds.indexOf(kind) })
  }
  return [...links.values()]
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ kind, url }) => ({ kind, url }))
}

/** Long link texts are headlines; the last part of a path identifies the page. */
function kindOf(text: string, pathname: string, kinds: readonly string[]): string | null {
  const name = decodedPath(pathname).split("/").filter(Boolean).at(-1) ?? ""
  for (const kind of kinds) {
    const pattern = named.get(kind)
    if (!pattern) continue
    if ((text.length <= 40 && pattern.test(text)) || (name.length <= 40 && pattern.test(name)))
      return kind
  }
  return null
}

function decodedPath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).replaceAll("_", "-")
  } catch {
    return pathname
  }
}
