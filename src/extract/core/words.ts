/** Scripts written without spaces between words. */
const scripts = "Han Hiragana Katakana Thai Khmer Lao Myanmar".split(" ")
const spacelessCharacter = `[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]`
export const hasSpaceless = new RegExp(spacelessCharacter, "u")
const spaceless = new RegExp(`${spacelessCharacter}+`, "gu")
const word = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|['’._-](?=[\p{L}\p{N}]))*/gu

const segmenter = new Intl.Segmenter("zh", { granularity: "word" })

/** Returns the number of words; text without spaces, such as Chinese, is segmented by dictionary. */
export function countWords(text: string): number {
  if (!hasSpaceless.test(text)) return text.match(word)?.length ?? 0
  let count = text.replace(spaceless, " ").match(word)?.length ?? 0
  for (const [run] of text.matchAll(spaceless)) {
    for (const segment of segmenter.segment(run)) if (segment.isWordLike) count++
  }
  return count
}

/** The middle of the 200 to 250 that are usual for silent reading. */
const wordsPerMinute = 225
const charactersPerMinute = 500

/** Minutes that reading takes, rounded up; spaceless scripts by their characters. */
export function readingMinutes(text: string): number {
  let characters = 0
  for (const [run] of text.matchAll(spaceless)) characters += run.length
  const others = characters === 0 ? text : text.replace(spaceless, " ")
  const words = others.match(word)?.length ?? 0
  return Math.ceil(words / wordsPerMinute + characters / charactersPerMinute)
}

/** Returns the first `length` characters of a text, cut at the end of a word if one is near. */
export function cutAtWord(text: string, length: number): string {
  const characters = [...text.slice(0, length * 2 + 2)]
  if (characters.length <= length) return text
  const cut = characters.slice(0, length).join("")
  if (/\s/.test(characters[length]!)) return cut.trimEnd()
  const space = cut.search(/\s\S*$/)
  return space > cut.length - 40 && space > 0 ? cut.slice(0, space).trimEnd() : cut
}

/** Returns whether every word occurs in one of the texts, ignoring case; true for no words. */
export function holdsWords(
  words: string | undefined,
  ...texts: (string | null | undefined)[]
): boolean {
  const wanted = (words ?? "").toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return true
  const text = texts.join("\n").toLowerCase()
  return wanted.every((word) => text.includes(word))
}
