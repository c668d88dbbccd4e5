import type { DocumentMetadata } from "./document-page.ts"

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

/** The list table's numbers of a level without a number, and of one with a bullet. */
const [noNumber, bullet] = [255, 23]

/** Returns the markers of each list's levels by the list's number in paragraphs; undefined for none. */
export function markersOfLists(source: string): Map<number, (string | undefined)[]> {
  const lists = new Map<number, (string | undefined)[]>()
  const markers = new Map<number, (string | undefined)[]>()
  let levels: (string | undefined)[] = []
  let override: number | undefined
  let isOverride = false
  const words = /\\(list|levelnfc|listid|listoverride|ls)(-?\d{1,10})?(?![a-z\d])/g
  for (const [, word, written] of source.slice(0, maxTablesChars).matchAll(words)) {
    const number = Number(written ?? 0)
    if (word === "list") levels = []
    else if (word === "levelnfc") {
      levels.push(number === noNumber ? undefined : number === bullet ? "•" : "1.")
    } else if (word === "listoverride") isOverride = true
    else if (word === "listid" && isOverride) override = number
    else if (word === "listid") lists.set(number, levels)
    else if (isOverride && override !== undefined) {
      markers.set(number, lists.get(override) ?? [])
      isOverride = false
    }
  }
  return markers
}
