/** Maximum non-ASCII bytes in the sample; pages start with styles and scripts that have none. */
const sampleBytes = 64 * 1024
/** Minimum non-ASCII bytes to identify a language. */
const minBytes = 6

/** Characters that make up most of a language's text. */
const kana = /[\u3041-\u3093\u30a1-\u30f6]/g
const hangul = /[\uac00-\ud7a3]/g
const hanzi =
  /[的一是不了在人有我他这這个個们們中来來上大为為和国國地到以说說时時要就出会會可也你对對生能而子那得于於着著下自之年过過发發后後作里裡用道行所然家种種事成方多经經么麼去法学學如都同现現当當没沒动動面起看定天分还還进進好小部其些主样樣理心本前开開但因只从從想实實日新公司网網电電页頁首请請您]/g

interface Candidate {
  label: string
  typical: RegExp
  /** Minimum share of typical characters among the non-ASCII ones in this encoding. */
  min: number
}

const doubleByte: readonly Candidate[] = [
  { label: "shift_jis", typical: kana, min: 0.25 },
  { label: "euc-jp", typical: kana, min: 0.25 },
  { label: "euc-kr", typical: hangul, min: 0.85 },
  { label: "gb18030", typical: hanzi, min: 0.05 },
  { label: "big5", typical: hanzi, min: 0.05 },
]
const singleByte: readonly Candidate[] = [
  { label: "windows-1251", typical: /[оеаинтсрвлкмдпуяыьі]/g, min: 0.55 },
  { label: "koi8-r", typical: /[оеаинтсрвлкмдпуяыь]/g, min: 0.55 },
  { label: "ibm866", typical: /[оеаинтсрвлкмдпуяыь]/g, min: 0.55 },
  { label: "iso-8859-5", typical: /[оеаинтсрвлкмдпуяыь]/g, min: 0.55 },
  { label: "windows-1253", typical: /[αεοιτνσκρπςλμυηδόάίέήύώ]/g, min: 0.55 },
  { label: "windows-1255", typical: /[יוהלאמתרבשןםנכעד]/g, min: 0.55 },
  { label: "windows-1256", typical: /[الينمرتوبةعدسفهقأكحىج]/g, min: 0.55 },
]

/**
 * Guesses the encoding of a body that declares none and is not UTF-8: the one in which most
 * characters are letters of one language. Returns undefined for mostly ASCII text with single other
 * letters, as in Western Europe.
 */
export function guessEncoding(bytes: Uint8Array): string | undefined {
  const sample = sampleOf(bytes)
  const { high, inRuns } = highBytes(sample)
  if (high < minBytes) return undefined
  const damaged = broken(new TextDecoder("utf-8").decode(sample))
  if (damaged <= 1 + high / 100) return "utf-8"
  if (inRuns < high * 0.7) return undefined
  return best(doubleByte, sample) ?? best(singleByte, sample)
}

/** Returns the non-ASCII bytes, each with the next byte, which may belong to the same character. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  const sample = new Uint8Array(sampleBytes)
  let length = 0
  for (let at = 0; at < bytes.length && length < sampleBytes; at++) {
    const isText = bytes[at]! >= 0x80 || (bytes[at - 1] ?? 0) >= 0x80
    if (isText) sample[length++] = bytes[at]!
    else if (sample[length - 1] !== space && length > 0) sample[length++] = space
  }
  return sample.subarray(0, length)
}

const space = 0x20

/** Counts the non-ASCII bytes, and those next to another one. */
function highBytes(bytes: Uint8Array): { high: number; inRuns: number } {
  let high = 0
  let inRuns = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at]! < 0x80) continue
    high++
    if ((bytes[at - 1] ?? 0) >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80) inRuns++
  }
  return { high, inRuns }
}

const broken = (text: string) => text.split("\ufffd").length - 1

function best(candidates: readonly Candidate[], sample: Uint8Array): string | undefined {
  let charset: string | undefined
  let max = 0
  for (const { label, typical, min: minimum } of candidates) {
    const text = new TextDecoder(label).decode(sample)
    const beyond = text.match(/[^\0-\x7f]/g)?.length ?? 0
    // The sample may end inside a character.
    if (beyond === 0 || broken(text) > 1 + beyond / 200) continue
    const share = (text.match(typical)?.length ?? 0) / beyond
    // Shares are compared by how far each exceeds its language's minimum.
    if (share < minimum || share / minimum <= max) continue
    max = share / minimum
    charset = label
  }
  return charset
}
