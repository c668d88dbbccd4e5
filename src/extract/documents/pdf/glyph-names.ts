import { getResolvedPDFJS } from "unpdf"
import type { Pdf } from "./open.ts"
import type { TextItem } from "./segments.ts"

type Page = Awaited<ReturnType<Pdf["getPage"]>>

/** Maximum pages of a document whose fonts are examined, because PDF.js decodes their images, too. */
const maxPages = 50
const maxComponents = 8

const digits = "zero one two three four five six seven eight nine".split(" ")
const signs: Record<string, string> = {
  space: " ",
  period: ".",
  comma: ",",
  colon: ":",
  semicolon: ";",
  hyphen: "-",
  exclam: "!",
  question: "?",
  percent: "%",
  plus: "+",
  slash: "/",
  quoteright: "’",
  parenleft: "(",
  parenright: ")",
  dollar: "$",
  Euro: "€",
  ampersand: "&",
  germandbls: "ß",
  dotlessi: "ı",
  ae: "æ",
  AE: "Æ",
  oe: "œ",
  OE: "Œ",
  oslash: "ø",
  Oslash: "Ø",
  lslash: "ł",
  Lslash: "Ł",
}
const accents: Record<string, string> = {
  grave: "\u0300",
  acute: "\u0301",
  circumflex: "\u0302",
  tilde: "\u0303",
  macron: "\u0304",
  breve: "\u0306",
  dotaccent: "\u0307",
  dieresis: "\u0308",
  ring: "\u030a",
  hungarumlaut: "\u030b",
  caron: "\u030c",
  cedilla: "\u0327",
  ogonek: "\u0328",
}
const accentedLetter = new RegExp(`^([A-Za-z])(${Object.keys(accents).join("|")})$`)

/**
 * Returns the text of a glyph by its name, as the Adobe Glyph List specifies it, or null.
 *
 * @example
 * textOfGlyph("one.oldstyle") // "1"
 * textOfGlyph("Q_u") // "Qu"
 */
export function textOfGlyph(name: string): string | null {
  const [base = ""] = name.split(".", 1)
  const components = base.split("_")
  if (base === "" || components.length > maxComponents) return null
  const texts = components.map(textOfComponent)
  return texts.includes(null) ? null : texts.join("")
}

function textOfComponent(name: string): string | null {
  if (/^[A-Za-z]$/.test(name)) return name
  const digit = digits.indexOf(name)
  if (digit >= 0) return String(digit)
  if (Object.hasOwn(signs, name)) return signs[name]!
  const [, letter, accent] = accentedLetter.exec(name) ?? []
  if (letter && accent) return (letter + accents[accent]!).normalize("NFC")
  const codes = /^uni(?:[\dA-F]{4})+$/.test(name)
    ? (name.slice(3).match(/.{4}/g) ?? [])
    : /^u[\dA-F]{4,6}$/.test(name)
      ? [name.slice(1)]
      : []
  const points = codes.map((code) => Number.parseInt(code, 16))
  const isText = points.length > 0 && points.every(isCharacter)
  return isText ? String.fromCodePoint(...points) : null
}

const isCharacter = (point: number) =>
  point >= 32 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)

/** A font as PDF.js stores it, copied from its worker. */
interface FontData {
  composite?: boolean
  differences?: unknown[]
  toUnicode?: { _map?: unknown[] }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: codes of glyphs without a known name
const codes = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/

/**
 * Replaces the characters of glyphs that PDF.js does not know by name, for example ligatures and
 * old-style digits. PDF.js returns their codes instead.
 */
export class GlyphNames {
  private pages = 0
  /** Texts by the characters that PDF.js returns, by font. */
  private readonly fonts = new Map<string, Map<string, string>>()

  async apply(page: Page, items: readonly TextItem[]): Promise<void> {
    if (!items.some(({ str }) => codes.test(str)) || this.pages++ >= maxPages) return
    const onPage = await this.fontsOf(page)
    for (const item of items) {
      const own = this.fonts.get(item.fontName)
      item.str = item.str.replace(/[\s\S]/g, (sign) => {
        const text = own?.get(sign)
        return text ?? (codes.test(sign) ? textIn(onPage, sign) : null) ?? sign
      })
    }
  }

  /** Returns the texts of the fonts that a page draws with. */
  private async fontsOf(page: Page): Promise<Map<string, string>[]> {
    const { AnnotationMode, OPS } = await getResolvedPDFJS()
    // PDF.js hands over a page's fonts only with its drawing.
    const drawing = await page
      .getOperatorList({ annotationMode: AnnotationMode.DISABLE })
      .catch(() => null)
    const names = new Set<string>()
    for (const [at, operation] of drawing?.fnArray.entries() ?? []) {
      if (operation === OPS.setFont) names.add(String(drawing!.argsArray[at]?.[0]))
    }
    return [...names].map((name) => {
      const known = this.fonts.get(name)
      if (known) return known
      const isThere = page.commonObjs.has(name)
      const texts = isThere ? textsOfFont(page.commonObjs.get(name)) : new Map()
      this.fonts.set(name, texts)
      return texts
    })
  }
}

/** Returns a glyph's text if the fonts agree on it: PDF.js joins texts of several fonts in one item. */
function textIn(fonts: readonly Map<string, string>[], sign: string): string | null {
  const texts = new Set(fonts.flatMap((font) => font.get(sign) ?? []))
  return texts.size === 1 ? [...texts][0]! : null
}

function textsOfFont({ composite, differences, toUnicode }: FontData): Map<string, string> {
  const texts = new Map<string, string>()
  const known = toUnicode?._map
  if (composite || !Array.isArray(known) || !Array.isArray(differences)) return texts
  const others = new Set(known)
  for (const [code, name] of differences.entries()) {
    if (typeof name !== "string" || known[code] != null || code > 255) continue
    const sign = String.fromCharCode(code)
    const text = textOfGlyph(name)
    if (text !== null && text !== sign && !others.has(sign)) texts.set(sign, text)
  }
  return texts
}

const truncatedMath = /[\ud400-\ud7ff]/
const hangul = /[\u1100-\u11ff\u3130-\u318f\uac00-\ud3ff]/

/**
 * Corrects mathematical letters (U+1D400 to U+1D7FF), of which PDF.js keeps only 16 bits if a font
 * names them by their code points. The rest are Hangul, so a page with other Hangul stays as it is.
 */
export function correctMathLetters(items: readonly TextItem[]): void {
  const written = items.filter(({ str }) => truncatedMath.test(str))
  if (written.length === 0 || items.some(({ str }) => hangul.test(str))) return
  for (const item of written) {
    item.str = item.str.replace(/[\ud400-\ud7ff]/g, (sign) =>
      String.fromCodePoint(0x10000 + sign.charCodeAt(0)),
    )
  }
}
