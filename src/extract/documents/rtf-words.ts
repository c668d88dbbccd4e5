import type { NumberFormat } from "./list-labels.ts"
import type { DocumentMetadata } from "./pages/document-page.ts"

/** Groups without text of the document, or with a copy of its text for older programs. */
export const unseen = new Set(
  `fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator pict object themedata
  colorschememapping datastore latentstyles header headerl headerr headerf footer footerl footerr
  footerf xmlnstbl filetbl revtbl template bkmkstart bkmkend annotation mmathPr shpinst shprslt
  nonshppict nonesttables pgptbl doccomm operator company manager category hlinkbase comment`.split(
    /\s+/,
  ),
)

export const signs: Record<string, string> = {
  tab: "\t",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
  "~": "\u00a0",
  _: "\u2011",
  emspace: "\u2003",
  enspace: "\u2002",
}

export const properties: Record<string, keyof DocumentMetadata> = {
  title: "title",
  author: "author",
  subject: "description",
  keywords: "keywords",
  creatim: "createdAt",
  revtim: "modifiedAt",
}

const encodings: Record<number, string> = {
  932: "shift_jis",
  936: "gbk",
  949: "euc-kr",
  950: "big5",
  10000: "macintosh",
  65001: "utf-8",
}

/** Returns the decoder of a Windows code page, or that of Windows-1252 for an unknown page. */
export function decoderOf(page: number | undefined): TextDecoder {
  try {
    return new TextDecoder(encodings[page ?? 1252] ?? `windows-${page}`)
  } catch {
    return new TextDecoder("windows-1252")
  }
}

/** Code pages of the character sets of fonts; other sets use the document's code page. */
const pagesOfSets: Record<number, number> = {
  77: 10000,
  128: 932,
  129: 949,
  134: 936,
  136: 950,
  161: 1253,
  162: 1254,
  163: 1258,
  177: 1255,
  178: 1256,
  186: 1257,
  204: 1251,
  222: 874,
  238: 1250,
}

/** Maximum length of the font and style tables at the start of a document, in characters. */
const maxTablesChars = 500_000

/** Returns the code pages of fonts by the fonts' numbers, if their character set has one. */
export function pagesOfFonts(source: string): Map<number, number> {
  const fonts = source
    .slice(0, maxTablesChars)
    .matchAll(
      /\{(?:\\f[a-z]{2}(?:major|minor))?\\f(\d{1,5})\s?\\[^{};]{0,200}?\\fcharset(\d{1,3})/g,
    )
  const pages = new Map<number, number>()
  for (const [, font, set] of fonts) {
    const page = pagesOfSets[Number(set)]
    if (page !== undefined) pages.set(Number(font), page)
  }
  return pages
}

/** Returns the levels of heading styles by the styles' numbers. */
export function levelsOfStyles(source: string): Map<number, number> {
  const styles = source
    .slice(0, maxTablesChars)
    .matchAll(/\{\\s(\d{1,5})\\[^{};]{0,1000}? (?:heading (\d)|title);/gi)
  return new Map([...styles].map(([, style, level]) => [Number(style), Number(level ?? 1)]))
}

/** A level of a list whose items have numbers or letters. */
interface NumberedLevel {
  format: NumberFormat
  start: number
  prefix: string
  suffix: string
}

/** The marker of a level as text, or its numbers; undefined for neither. */
export type LevelMarker = string | NumberedLevel | undefined

/** The list table's numbers of a level without a number, and of one with a bullet. */
const [noNumber, bullet] = [255, 23]
const formats: Record<number, NumberFormat> = { 1: "I", 2: "i", 3: "A", 4: "a" }

const markerOf = (kind: number): LevelMarker => {
  if (kind === noNumber) return undefined
  return kind === bullet ? "•" : { format: formats[kind] ?? "1", start: 1, prefix: "", suffix: "." }
}

const listWords =
  /\\(list|levelnfc|levelstartat|listid|listoverride|ls)(-?\d{1,10})?(?![a-z\d])|\\leveltext(?:\\[a-z]{1,32}-?\d{0,10} ?){0,4}\\'[\da-f]{2}([^;{}]{0,60});/g

/** Returns the markers of each list's levels by the list's number in paragraphs; undefined for none. */
export function markersOfLists(source: string): Map<number, LevelMarker[]> {
  const lists = new Map<number, LevelMarker[]>()
  const markers = new Map<number, LevelMarker[]>()
  let levels: LevelMarker[] = []
  let override: number | undefined
  let isOverride = false
  for (const [, word, written, text] of source.slice(0, maxTablesChars).matchAll(listWords)) {
    const number = Number(written ?? 0)
    const level = levels.at(-1)
    if (word === "list") levels = []
    else if (word === "levelnfc") levels.push(markerOf(number))
    else if (word === "levelstartat") {
      if (typeof level === "object" && !isOverride) level.start = number
    } else if (text !== undefined) {
      if (typeof level === "object") Object.assign(level, signsAround(text))
    } else if (word === "listoverride") isOverride = true
    else if (word === "listid" && isOverride) override = number
    else if (word === "listid") lists.set(number, levels)
    else if (isOverride && override !== undefined) {
      markers.set(number, [...(lists.get(override) ?? [])])
      isOverride = false
    }
  }
  return markers
}

/** Returns the signs before and after the number in the text of a level, such as `(\'00)`. */
function signsAround(text: string): { prefix: string; suffix: string } {
  const [prefix = "", suffix = "", ...others] = text.split(/\\'0\d/)
  const isPlain = others.length === 0 && /^\(?$/.test(prefix) && /^[.)]?$/.test(suffix)
  return isPlain ? { prefix, suffix } : { prefix: "", suffix: "." }
}
