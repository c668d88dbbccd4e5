import { getResolvedPDFJS } from "unpdf"
import type { Pdf } from "./open.ts"
import type { TextItem } from "./segments.ts"

type Page = Awaited<ReturnType<Pdf["getPage"]>>

/** Maximum pages of a document whose glyphs are examined, because PDF.js decodes their images, too. */
const maxPages = 200
/** Pages without lost ligatures after which a document is taken to have none. */
const enough = 2
/** Maximum glyphs of a page, and glyphs that are skipped to find an item. */
const maxGlyphs = 50_000
const maxSkipped = 2_000
/** Minimum letters of a font on a page that has no "fi", the most frequent ligature. */
const minLetters = 800
/** In thousandths of the text size: words are farther apart. */
const wordGap = 160

/**
 * TeX's ligatures at the codes of tabs and line ends. If a font does not map such a code to Unicode, PDF.js
 * reads it as a space: `speci ed` for `specified`.
 */
const ligatures = new Map([
  [0x0b, "ff"],
  [0x0c, "fi"],
  [0x0d, "fl"],
])

/** A glyph as PDF.js draws it; numbers between glyphs are distances. */
type Drawn = { unicode?: unknown; originalCharCode?: number; width?: number } | number | null

/** A character that is drawn, or a ligature that was read as a space. */
interface Glyph {
  text: string
  font: string
  isLost: boolean
  /** In thousandths of the text size. */
  width: number
  /** Whether it is next to the glyph before, without a space. */
  isNext: boolean
}

/** Restores ligatures that PDF.js reads as spaces. */
export class LostLigatures {
  private pages = 0
  /** Fonts with lost ligatures. */
  private readonly found = new Set<string>()

  async apply(page: Page, items: readonly TextItem[]): Promise<void> {
    const suspects = fontsWithoutLigatures(items)
    const fonts = new Set(
      items.flatMap(({ fontName }) =>
        suspects.has(fontName) || this.found.has(fontName) ? fontName : [],
      ),
    )
    if (fonts.size === 0 || this.pages >= (this.found.size > 0 ? maxPages : enough)) return
    this.pages++
    const { AnnotationMode, OPS } = await getResolvedPDFJS()
    const drawing = await page
      .getOperatorList({ annotationMode: AnnotationMode.DISABLE })
      .catch(() => null)
    if (!drawing) return
    const shown: { font: string; glyphs: Drawn[] }[] = []
    let font = ""
    for (const [at, operation] of drawing.fnArray.entries()) {
      const [first] = (drawing.argsArray[at] ?? []) as unknown[]
      if (operation === OPS.setFont) font = String(first)
      else if (operation === OPS.showText) shown.push({ font, glyphs: first as Drawn[] })
    }
    const glyphs = glyphsOf(shown, fonts)
    for (const { font, isLost } of glyphs) if (isLost) this.found.add(font)
    if (glyphs.some(({ isLost }) => isLost)) restore(items, glyphs)
  }
}

/** Returns the fonts that have many letters and no "fi": their ligatures may be lost. */
function fontsWithoutLigatures(items: readonly TextItem[]): Set<string> {
  const fonts = new Set<string>()
  for (const [font, ofFont] of Map.groupBy(items, ({ fontName }) => fontName)) {
    const text = ofFont.map(({ str }) => str).join(" ")
    const letters = text.match(/[a-z]/g)?.length ?? 0
    if (letters >= minLetters && !/fi|[\ufb01\ufb03]/.test(text)) fonts.add(font)
  }
  return fonts
}

/** Returns a page's glyphs as they are drawn, without spaces. */
function glyphsOf(
  shown: readonly { font: string; glyphs: Drawn[] }[],
  fonts: ReadonlySet<string>,
): Glyph[] {
  const glyphs: Glyph[] = []
  for (const { font, glyphs: drawn } of shown) {
    if (!Array.isArray(drawn)) continue
    let isNext = false
    for (const one of drawn) {
      if (typeof one === "number") {
        if (-one > wordGap) isNext = false
        continue
      }
      const { unicode, originalCharCode = 0, width = 0 } = one ?? {}
      if (typeof unicode !== "string") continue
      const ligature =
        fonts.has(font) && unicode === String.fromCharCode(originalCharCode)
          ? ligatures.get(originalCharCode)
          : undefined
      const text = ligature ?? unicode.trim()
      if (text !== "") glyphs.push({ text, font, isLost: ligature !== undefined, width, isNext })
      isNext = text !== ""
      if (glyphs.length >= maxGlyphs) return glyphs
    }
  }
  return glyphs
}

/** Writes lost ligatures into the items that the glyphs around them draw. */
function restore(
  items: readonly Pick<TextItem, "str" | "width" | "transform">[],
  glyphs: readonly Glyph[],
): void {
  let next = 0
  for (const item of items) {
    if (item.str.trim() === "") continue
    const last = Math.min(glyphs.length, next + maxSkipped)
    for (let from = next; from < last; from++) {
      if (glyphs[from]!.isLost) continue
      const end = endOf(item.str, glyphs, from)
      if (end === undefined) continue
      write(item, glyphs, from, end)
      next = end
      break
    }
  }
}

/** Returns the end of the glyphs from one on that draw a text; undefined if they draw another. */
function endOf(str: string, glyphs: readonly Glyph[], from: number): number | undefined {
  const text = str.replace(/\s+/g, "")
  let start = 0
  for (let at = from; at < glyphs.length; at++) {
    const glyph = glyphs[at]!
    if (glyph.isLost) continue
    const drawn = drawnAt(glyph.text, text, start)
    if (drawn === undefined) return undefined
    start += drawn
    if (start === text.length) return at + 1
  }
  return undefined
}

/** Returns the length of a glyph's text, as PDF.js normalizes it or not, at a place of a text. */
const drawnAt = (glyph: string, text: string, start: number) =>
  [glyph, glyph.normalize("NFKC")].find((one) => text.startsWith(one, start))?.length

/** Writes the ligatures among, before and after an item's glyphs. */
function write(
  item: Pick<TextItem, "str" | "width" | "transform">,
  glyphs: readonly Glyph[],
  from: number,
  end: number,
): void {
  let first = from
  while (glyphs[first - 1]?.isLost && glyphs[first]!.isNext) first--
  let last = end
  while (glyphs[last]?.isLost && glyphs[last]!.isNext) last++
  if (!glyphs.slice(first, last).some(({ isLost }) => isLost)) return
  let str = ""
  let at = 0
  for (const [index, glyph] of glyphs.slice(first, last).entries()) {
    const gap = /^\s*/.exec(item.str.slice(at))![0]
    const isAfterLost = glyphs[first + index - 1]?.isLost === true
    if (glyph.isLost) str += glyph.isNext || index === 0 ? glyph.text : ` ${glyph.text}`
    else {
      const isBroken = index > 0 && isAfterLost
      const space = isBroken ? (glyph.isNext ? "" : " ") : gap
      const length = drawnAt(glyph.text, item.str, at + gap.length) ?? 0
      str += space + item.str.slice(at + gap.length, at + gap.length + length)
      at += gap.length + length
    }
  }
  const size = Math.hypot(item.transform[0]!, item.transform[1]!)
  const widthOf = (part: readonly Glyph[]) =>
    part.reduce((sum, { width }) => sum + (width * size) / 1000, 0)
  const before = widthOf(glyphs.slice(first, from))
  item.transform = item.transform.with(4, item.transform[4]! - before)
  item.width += before + widthOf(glyphs.slice(end, last))
  item.str = str + (last === end ? item.str.slice(at) : "")
}
