/** Formats of list numbers, by how they write 1. */
export type NumberFormat = "1" | "a" | "A" | "i" | "I"

const romans: [value: number, letters: string][] = [
  [1000, "m"],
  [900, "cm"],
  [500, "d"],
  [400, "cd"],
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
]
/** Larger numbers are written in digits. */
const maxNumber = 3999

function roman(number: number): string {
  let rest = number
  let written = ""
  for (const [value, letters] of romans) {
    written += letters.repeat(Math.floor(rest / value))
    rest %= value
  }
  return written
}

/** Returns letters as Word and LibreOffice count them: z is followed by aa, and then by bb. */
const letters = (number: number) =>
  String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))

/**
 * Returns a number of a list as it is written.
 *
 * @example
 * ```ts
 * numberIn("i", 4) // "iv"
 * ```
 */
export function numberIn(format: NumberFormat, number: number): string {
  if (format === "1" || number < 1 || number > maxNumber) return String(number)
  const lower = format.toLowerCase() === "i" ? roman(number) : letters(number)
  return format === format.toLowerCase() ? lower : lower.toUpperCase()
}
