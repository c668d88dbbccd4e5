/** Decodes email addresses that pages obfuscate against harvesting. */

/** Cloudflare: hex, of which the first byte is the key for all others. */
export function decodeCloudflare(hex: string): string | null {
  if (!/^(?:[0-9a-f]{2}){4,}$/i.test(hex)) return null
  const bytes = Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16))
  return new TextDecoder().decode(bytes.subarray(1).map((byte) => byte ^ bytes[0]!))
}

/** The ranges within which TYPO3 shifts characters, first and last code of each. */
const shiftRanges: [first: number, last: number][] = [
  [0x2b, 0x3a],
  [0x40, 0x5a],
  [0x61, 0x7a],
]

/** TYPO3's `linkTo_UnCryptMailto` and `data-mailto-token`; without the offset all are tried. */
export function decodeShifted(text: string, offset?: number): string | null {
  const offsets = offset === undefined ? everyOffset : [offset, -offset]
  const decoded = offsets.map((shift) => shifted(text, shift))
  return decoded.find((address) => address.startsWith("mailto:")) ?? null
}

const everyOffset = Array.from({ length: 21 }, (_, index) => index - 10)

function shifted(text: string, offset: number): string {
  return text.replace(/[\s\S]/g, (sign) => {
    const code = sign.charCodeAt(0)
    const range = shiftRanges.find(([first, last]) => code >= first && code <= last)
    if (!range) return sign
    const [first, last] = range
    const size = last - first + 1
    return String.fromCharCode(first + ((((code - first + offset) % size) + size) % size))
  })
}

export const reversed = (text: string) => [...text].reverse().join("")

export function rot13(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const start = letter <= "Z" ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - start + 13) % 26) + start)
  })
}

const at = "(?:\\s*[\\[({<]\\s*(?:at|ät|@|a|æt|арт|arroba|chez|zavinac)\\s*[\\])}>]\\s*)"
const plainAt = "(?:\\s+(?:at|AT|ät)\\s+)"
const dot =
  "(?:\\s*[\\[({<]\\s*(?:dot|punkt|point|punto|ponto|tečka|d|\\.)\\s*[\\])}>]\\s*|\\s+(?:dot|DOT|punkt|PUNKT)\\s+)"
const name = "[\\p{L}\\d](?:[\\p{L}\\d._+-]{0,60}[\\p{L}\\d])?"
const label = "[\\p{L}\\d](?:[\\p{L}\\d-]{0,60}[\\p{L}\\d])?"

/**
 * `name [at] host [dot] tld`; a bare "at" counts only next to a spelt-out dot, or in capitals. Each has
 * a quick test of its own: the patterns are slow, and few texts pass the test.
 */
const spelt: { pattern: RegExp; needs: RegExp[] }[] = [
  {
    pattern: new RegExp(
      `(${name}(?:${dot}${name})*)${at}(${label}(?:(?:${dot}|\\.)${label})+)`,
      "giu",
    ),
    needs: [new RegExp(at, "iu")],
  },
  {
    pattern: new RegExp(
      `(${name}(?:${dot}${name})*)${plainAt}(${label}(?:${dot}${label})+)`,
      "giu",
    ),
    needs: [new RegExp(plainAt, "iu"), new RegExp(dot, "iu")],
  },
  {
    pattern: new RegExp(`(${name})\\s+AT\\s+(${label}(?:\\.${label})+)`, "gu"),
    needs: [/\sAT\s/u],
  },
]
const dots = new RegExp(dot, "gu")

/** The addresses that a text spells out in words. */
export function spelledEmails(text: string): { email: string; index: number; length: number }[] {
  return spelt
    .filter(({ needs }) => needs.every((need) => need.test(text)))
    .flatMap(({ pattern }) =>
      [...text.matchAll(pattern)].map((match) => ({
        email: `${match[1]!.replace(dots, ".")}@${match[2]!.replace(dots, ".")}`,
        index: match.index,
        length: match[0].length,
      })),
    )
}
