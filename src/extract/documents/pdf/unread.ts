import { getResolvedPDFJS } from "unpdf"
import { UnreadableDocument, unreadable } from "../pages/document-page.ts"
import type { Pdf } from "./open.ts"
import type { TextItem } from "./segments.ts"
import { unmappedCharacters } from "./text.ts"

/**
 * Fonts whose codes are glyph numbers have the space as their third glyph, as often as a text has
 * spaces.
 */
const spaceGlyph = "\u0003"
const minSpaces = 0.08

/** Returns the number of a page's glyphs without a character, as far as its text shows. */
export function countUnmapped(items: readonly TextItem[]): number {
  let count = 0
  for (const ofFont of Map.groupBy(items, ({ fontName }) => fontName).values()) {
    const text = ofFont.map(({ str }) => str).join("")
    count += isGlyphNumbers(text) ? text.length : unmappedCharacters(text)
  }
  return count
}

function isGlyphNumbers(text: string): boolean {
  const spaces = text.split(spaceGlyph).length - 1
  return spaces > text.length * minSpaces && !/\S \S/.test(text)
}

/** Maximum number of pages without text whose drawings are examined. */
const maxPages = 5

/** Returns the error of a PDF without any text, by the content of its first pages. */
export async function withoutText(pdf: Pdf): Promise<UnreadableDocument> {
  const { AnnotationMode, OPS } = await getResolvedPDFJS()
  const images = new Set([
    OPS.paintImageXObject,
    OPS.paintImageMaskXObject,
    OPS.paintInlineImageXObject,
    OPS.paintImageXObjectRepeat,
    OPS.paintImageMaskXObjectRepeat,
    OPS.paintImageMaskXObjectGroup,
    OPS.paintInlineImageXObjectGroup,
    OPS.paintSolidColorImageMask,
  ])
  const drawn = { images: 0, glyphs: 0, all: 0 }
  for (let number = 1; number <= Math.min(pdf.numPages, maxPages); number++) {
    const page = await pdf.getPage(number).catch(() => null)
    const drawing = await page
      ?.getOperatorList({ annotationMode: AnnotationMode.DISABLE })
      .catch(() => null)
    if (!page || !drawing) continue
    const { fnArray, argsArray } = drawing
    drawn.all += fnArray.length
    for (const [at, operation] of fnArray.entries()) {
      if (images.has(operation)) drawn.images++
      else if (operation === OPS.showText) drawn.glyphs += glyphsIn(argsArray[at])
    }
    page.cleanup()
  }
  if (drawn.glyphs > 0) {
    return unreadable("The PDF has no readable text: its fonts do not map glyphs to characters.")
  }
  if (drawn.images > 0) {
    return new UnreadableDocument(
      `The PDF's ${pdf.numPages === 1 ? "page is an image" : `${pdf.numPages} pages are images`}, as from a scanner, without text.`,
      "scanned_document",
    )
  }
  return unreadable(
    drawn.all > 0
      ? "The PDF has drawings, but no text."
      : "The PDF is empty: its pages have no content.",
  )
}

/** Counts glyphs except spaces; numbers between them are distances. */
const glyphsIn = (args: unknown) =>
  ((args as unknown[])?.[0] as unknown[] | undefined)?.filter(
    (glyph) =>
      glyph !== null && typeof glyph === "object" && !(glyph as { isSpace?: boolean }).isSpace,
  ).length ?? 0
