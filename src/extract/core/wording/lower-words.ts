/** Returns the words of a text in lower case, or another form of them. */
export type WordReader = (text: string) => string[]

const beyondAscii = /[^\0-\x7f]/

/**
 * Reads words by an expression for any script, and those of plain text by one for letters from a to z,
 * which finds the same there in half the time.
 */
export function lowerWords(any: RegExp, plain: RegExp): WordReader {
  return (text) => {
    const lower = text.toLowerCase()
    return lower.match(beyondAscii.test(lower) ? any : plain) ?? []
  }
}
