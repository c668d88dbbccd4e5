/** Measures of a text, counted character by character. */
export interface TextMeasure {
  words: number
  letters: number
  digits: number
  /** Words that begin with a capital. */
  capitals: number
  commas: number
  /** Ends of sentences. */
  stops: number
  /** The class of the last character that is not a space. */
  last: number
  inWord: boolean
}

export const newMeasure = (): TextMeasure => ({
  words: 0,
  letters: 0,
  digits: 0,
  capitals: 0,
  commas: 0,
  stops: 0,
  last: 0,
  inWord: false,
})

/** Characters of scripts without spaces count as half a word each, by this table of blocks. */
const isSpaceless = (code: number) =>
  (code >= 0x3040 && code <= 0x30ff) ||
  (code >= 0x3400 && code <= 0x9fff) ||
  (code >= 0x0e00 && code <= 0x0eff) ||
  (code >= 0x1000 && code <= 0x109f) ||
  (code >= 0xf900 && code <= 0xfaff)

/** Adds a piece of text to a measure. */
export function measureText(measure: TextMeasure, text: string): void {
  let { words, letters, digits, capitals, commas, stops, last, inWord } = measure
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= 32 || code === 160) {
      inWord = false
      continue
    }
    if (code < 128) {
      const lower = code >= 97 && code <= 122
      if (lower || (code >= 65 && code <= 90)) {
        if (!inWord) {
          words++
          if (!lower) capitals++
          inWord = true
        }
        letters++
        last = 1
      } else if (code >= 48 && code <= 57) {
        if (!inWord) {
          words++
          inWord = true
        }
        digits++
        last = 2
      } else {
        if (code !== 39 && code !== 95 && code !== 45) inWord = false
        if (code === 44 || code === 59) {
          commas++
          last = 3
        } else if (code === 46 || code === 33 || code === 63) {
          if (last !== 4) stops++
          last = 4
        } else if (code === 58) last = 5
        else last = 6
      }
      continue
    }
    if (
      code === 0x3002 ||
      code === 0xff01 ||
      code === 0xff1f ||
      code === 0x061f ||
      code === 0x06d4
    ) {
      if (last !== 4) stops++
      last = 4
      inWord = false
    } else if (code === 0x3001 || code === 0xff0c || code === 0x060c) {
      commas++
      last = 3
      inWord = false
    } else if (code >= 0xc0 && !(code >= 0x2000 && code <= 0x2bff) && code !== 0xd7) {
      letters++
      if (isSpaceless(code)) {
        words += 0.5
        inWord = false
      } else if (!inWord) {
        words++
        inWord = true
      }
      last = 1
    } else {
      if (code !== 0x2019 && code !== 0xad) inWord = false
      last = code === 0x2026 ? 7 : code === 0xbb || code === 0x203a || code === 0x2192 ? 8 : 6
    }
  }
  measure.words = words
  measure.letters = letters
  measure.digits = digits
  measure.capitals = capitals
  measure.commas = commas
  measure.stops = stops
  measure.last = last
  measure.inWord = inWord
}
