import { elementsNamed, factOf, textOf } from "../core/index.ts"

/** `<title>` of the page itself (an SVG may have one too), white space folded. */
export function documentTitle(document: Document): string | null {
  return factOf(document, documentTitle, () =>
    textOf(titleIn(document.head) ?? titleIn(document.body)),
  )
}

const titleIn = (part: Element) =>
  elementsNamed(part, "title").find((title) => !title.closest("svg") && textOf(title) !== null)

/** Returns how many words of a text occur in another. */
export function sharedWords(text: string, other: string | null): number {
  const words = new Set(wordsOf(other ?? ""))
  return wordsOf(text).filter((word) => words.has(word)).length
}

/** Returns the share of a text's words, 0 to 1, that occur in another. */
export const shareOfWords = (text: string, other: string | null) =>
  sharedWords(text, other) / Math.max(1, wordsOf(text).length)

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** A title without the name of its site at its end: `Title | Site`, `Title - Site`. */
export function withoutSiteName(title: string, siteName: string | null, pageUrl: string): string {
  // The name of a site may have a sign in it as well: the first end that is one counts.
  let seen = 0
  for (const { index, 0: sign } of title.matchAll(/\s[|\-–—·•:»›~]\s/g)) {
    if (++seen > maxSigns) break
    const before = title.slice(0, index).trimEnd()
    const after = title.slice(index + sign.length).trimStart()
    if (before === "" || after.length > maxSiteName) continue
    if (isSiteName(after, siteName, pageUrl)) return before
  }
  return title
}

const maxSigns = 20
const maxSiteName = 200

function isSiteName(text: string, siteName: string | null, pageUrl: string): boolean {
  const names = [siteName ?? "", new URL(pageUrl).hostname.replace(/^www\./, "").split(".")[0]!]
  return plain(text) !== "" && names.some((name) => plain(name) === plain(text))
}

const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")
