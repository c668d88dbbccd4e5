import { getResolvedPDFJS } from "unpdf"
import type { Pdf } from "./open.ts"
import type { TextItem } from "./segments.ts"

type Page = Awaited<ReturnType<Pdf["getPage"]>>

/** Maximum pages of a document whose glyphs are examined, because PDF.js decodes their images, too. */
const maxPages = 200
/** Pages without such ligatures after which a document is taken to have none. */
const enough = 3
/** Maximum glyphs of a page, and glyphs that are skipped to find an item. */
const maxGlyphs = 50_000
const maxSkipped = 2_000

/**
 * Corrects ligatures of text from the right, for example Lam-Alef. PDF.js reverses the characters of such
 * a text one by one, also those that a font has in one glyph: `اإلسالم` for `الإسلام`.
 */
export class RtlLigatures {
  private pages = 0
  private hasFound = false

  async apply(page: Page, items: readonly TextItem[]): Promise<void> {
    const fromRight = items.filter(({ dir, str }) => dir === "rtl" && str.length > 1)
    const isDone = this.pages >= (this.hasFound ? maxPages : enough)
    if (fromRight.length === 0 || isDone) return
    this.pages++
    const { AnnotationMode } = await getResolvedPDFJS()
    const drawing = await page
      .getOperatorList({ annotationMode: AnnotationMode.DISABLE })
      .catch(() => null)
    const glyphs = glyphsOf(drawing?.argsArray ?? [])
    if (glyphs.some(isLigature)) this.hasFound = inGlyphOrder(fromRight, glyphs) || this.hasFound
  }
}

/** Returns the characters of a page's glyphs as they are drawn, without spaces. */
function glyphsOf(operations: readonly unknown[]): string[] {
  const glyphs: string[] = []
  for (const [shown] of operations.filter(Array.isArray)) {
    if (!Array.isArray(shown)) continue
    for (const glyph of shown as ({ unicode?: unknown } | number | null)[]) {
      const text = typeof glyph === "object" ? glyph?.unicode : undefined
      if (typeof text === "string" && text.trim() !== "") glyphs.push(text)
      if (glyphs.length >= maxGlyphs) return glyphs
    }
  }
  return glyphs
}

const isLigature = (glyph: string) =>
  glyph.normalize("NFKC").length > 1 && /^[\p{Script=Arabic}\p{Script=Hebrew}]+$/u.test(glyph)

/**
 * Reverses the characters of ligatures in items that are drawn by consecutive glyphs. Returns whether
 * there are any.
 */
export function inGlyphOrder(
  items: readonly Pick<TextItem, "str">[],
  glyphs: readonly string[],
): boolean {
  let hasFound = false
  let next = 0
  for (const item of items) {
    const signs = [...item.str.matchAll(/\S/g)].map(({ index }) => index)
    const drawn = signs.map((at) => item.str[at]!).reverse()
    const last = Math.min(glyphs.length, next + maxSkipped)
    for (let from = next; from < last; from++) {
      const ligatures = ligaturesIn(drawn.join(""), glyphs, from)
      if (!ligatures) continue
      next = from
      const chars = item.str.split("")
      for (const { start, end } of ligatures) {
        const places = signs.slice(signs.length - end, signs.length - start)
        const reversed = places.map((at) => item.str[at]!).reverse()
        for (const [index, at] of places.entries()) chars[at] = reversed[index]!
      }
      item.str = chars.join("")
      hasFound ||= ligatures.length > 0
      break
    }
  }
  return hasFound
}

/** Returns the ligatures of a text that the glyphs from one on draw; undefined if they draw another. */
function ligaturesIn(drawn: string, glyphs: readonly string[], from: number) {
  const ligatures: { start: number; end: number }[] = []
  let start = 0
  for (let at = from; start < drawn.length; at++) {
    const glyph = glyphs[at]
    if (glyph === undefined) return undefined
    const text = [glyph, glyph.normalize("NFKC")].find((one) => drawn.startsWith(one, start))
    if (text === undefined) return undefined
    if (text.length > 1 && isLigature(glyph)) ligatures.push({ start, end: start + text.length })
    start += text.length
  }
  return ligatures
}
