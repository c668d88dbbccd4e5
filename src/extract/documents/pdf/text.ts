/**
 * Presentation forms as in fonts: ligatures, Arabic letter forms, punctuation of vertical lines.
 */
const presentation = /[\ufb00-\ufdff\ufe10-\ufe19\ufe30-\ufe4f\ufe70-\ufefc]+/g
/**
 * Ligatures at the codes that TeX's fonts have below the letters, because files do not always name
 * these glyphs.
 */
const ligatures = ["ff", "fi", "fl", "ffi", "ffl"]
const signs: Record<string, string> = { "\0": "−", "\x0f": "•", "\x14": "≤", "\x16": "—" }
// biome-ignore lint/suspicious/noControlCharactersInRegex: codes of glyphs without a name
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const ligature = /(?<=\p{L})[\x0b-\x0f\x1b-\x1f]|[\x0b-\x0f\x1b-\x1f](?=\p{L})/gu

/** Bullets of symbol fonts, by their code points in these fonts. */
const symbols: Record<string, string> = {
  "\uf0b7": "•",
  "\uf0a7": "▪",
  "\uf0a8": "◆",
  "\uf0d8": "➢",
  "\uf0fc": "✓",
  "\uf076": "◆",
  "\uf06e": "■",
  "\uf06c": "●",
  "\uf0e0": "→",
  "\uf02d": "-",
}
const symbol = new RegExp(`[${Object.keys(symbols).join("")}]`, "g")

/** Small capitals and old-style digits of the Adobe Glyph List: their last byte is Latin-1. */
const variants = /[\uf721\uf726\uf730-\uf739\uf73f\uf761-\uf77a\uf7e0-\uf7f6\uf7f8-\uf7fe]/g

const named = (text: string) =>
  text
    .replace(variants, (sign) => String.fromCharCode(sign.charCodeAt(0) & 0xff))
    .replace(ligature, (code) => ligatures[(code.charCodeAt(0) & 15) - 11]!)
    .replace(control, (code) => signs[code] ?? code)
    .replace(symbol, (sign) => symbols[sign]!)

/** Returns the text of a piece in ordinary characters instead of presentation forms. */
export const plainLetters = (text: string) =>
  named(text)
    .replace(control, "")
    .replace(presentation, (forms) => forms.normalize("NFKC"))

// biome-ignore lint/suspicious/noControlCharactersInRegex: codes of glyphs without a name
const unmapped = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\p{Co}\p{Cn}\ufffd]/gu

/** Returns the number of a text's characters that are not ordinary characters. */
export const unmappedCharacters = (text: string): number => named(text).match(unmapped)?.length ?? 0

/** Accents as separate characters, which old fonts draw above or below a letter. */
const accents: Record<string, string> = {
  "`": "\u0300",
  "´": "\u0301",
  ˆ: "\u0302",
  "˜": "\u0303",
  "¯": "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030a",
  "˝": "\u030b",
  ˇ: "\u030c",
  "¸": "\u0327",
  "˛": "\u0328",
}

/** Returns whether a character is an accent without a letter. */
export const isAccent = (sign: string) => Object.hasOwn(accents, sign)

/**
 * Returns two overlapping pieces with the accent of one combined with the letter of the other, or
 * null.
 */
export function accented(before: string, after: string): [string, string] | null {
  const [sign, letter] = [before.at(-1) ?? "", after[0] ?? ""]
  if (Object.hasOwn(accents, sign) && /\p{L}/u.test(letter)) {
    const whole = composed(letter, sign)
    return whole === null ? null : [before.slice(0, -1), whole + after.slice(1)]
  }
  const [last, first] = [sign, letter]
  if (!Object.hasOwn(accents, first) || !/\p{L}/u.test(last)) return null
  const whole = composed(last, first)
  return whole === null ? null : [before.slice(0, -1) + whole, after.slice(1)]
}

function composed(letter: string, sign: string): string | null {
  const dotted = { ı: "i", ȷ: "j" }[letter] ?? letter
  const whole = (dotted + accents[sign]!).normalize("NFC")
  return whole.length === 1 ? whole : null
}

const opening = "([{«‹⟨"
const closing = ")]}»›⟩"

/**
 * Returns a right-to-left text as people type it: marks after their letters even if the file has a space
 * between them; brackets by function even if the file names their shapes.
 */
export function fromTheRight(text: string): string {
  const marked = text.replace(/(?<=\p{L}\p{M}*)(\s+)(\p{M}+)/gu, "$2$1")
  const turned = [...marked].map((sign) => turnedOf(sign)).join("")
  return unpaired(turned) < unpaired(marked) ? turned : marked
}

function turnedOf(sign: string): string {
  const at = opening.indexOf(sign)
  if (at >= 0) return closing[at]!
  return opening[closing.indexOf(sign)] ?? sign
}

function unpaired(text: string): number {
  const open: number[] = opening.split("").map(() => 0)
  let alone = 0
  for (const sign of text) {
    const [begins, ends] = [opening.indexOf(sign), closing.indexOf(sign)]
    if (begins >= 0) open[begins]!++
    if (ends >= 0 && open[ends]! > 0) open[ends]!--
    else if (ends >= 0) alone++
  }
  return open.reduce((sum, count) => sum + count, alone)
}
