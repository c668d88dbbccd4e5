import { decodeEntities, foldSpace, htmlToText, textOrNull, words } from "../core/index.ts"

const maxSummaryChars = 2000

/** A title: markup removed, entities decoded once, white space folded; null if empty. */
export function feedTitle(text: string | null): string | null {
  if (text === null) return null
  return textOrNull(foldSpace(decodeEntities(text.replace(/<\/?[a-z][^<>]*>/gi, ""))))
}

/** The plain text of the first of these that has any, at most 2,000 characters. */
export function feedSummary(...sources: (string | null)[]): string | null {
  for (const source of sources) {
    const text = feedPlainText(source)
    if (text !== null) return clip(text, maxSummaryChars)
  }
  return null
}

/** HTML as plain text; text without markup keeps its line breaks. */
export function feedPlainText(source: string | null): string | null {
  if (source === null || /<\/?[a-z][^<>]*>/i.test(source)) return htmlToText(source)
  const lines = decodeEntities(source)
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
  return textOrNull(lines.replace(/\n{3,}/g, "\n\n").trim())
}

/** Returns a text cut at the last space before a length, followed by an ellipsis. */
export function clip(text: string, length: number): string {
  const characters = [...text.slice(0, length * 2)]
  if (characters.length <= length) return text
  const cut = characters.slice(0, length - 1).join("")
  const space = cut.search(/\s+\S*$/)
  return `${space > cut.length - 40 && space > 0 ? cut.slice(0, space) : cut}…`
}

const trackers = new RegExp(
  words(String.raw`
    feeds\.feedburner\.com\/~|feedsportal\.com|doubleclick|\/pixel|pixel\.(?:gif|png|wp)
    tracking|stats\.wordpress|b\.gif|\/emoji\/|gravatar\.com|scorecardresearch
    feeds\.wordpress\.com|\bblank\.gif|spacer\.gif
  `),
  "i",
)

/** Returns the URL of the first image in HTML that is not a tracking pixel, as in the HTML. */
export function firstImage(html: string | null): string | null {
  for (const [tag] of (html ?? "").matchAll(/<img\b(?:[^<>]|<(?!img\b))*>/gi)) {
    const source = attributeOf(tag, "src") ?? attributeOf(tag, "data-src")
    if (source === null || source.startsWith("data:") || trackers.test(source)) continue
    const sides = [attributeOf(tag, "width"), attributeOf(tag, "height")]
    if (sides.some((side) => side !== null && /^[0-3](?:px)?$/.test(side))) continue
    return source
  }
  return null
}

function attributeOf(tag: string, name: string): string | null {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, "i").exec(tag)
  const value = match?.[1] ?? match?.[2] ?? match?.[3]
  return value === undefined ? null : decodeEntities(value).trim() || null
}

const maxPersonChars = 500

/** `mail@example.com (Name)` and `Name <mail@example.com>` are Name; an address alone stays. */
export function personName(text: string | null): string | null {
  if (text === null || text.length > maxPersonChars) return feedTitle(text)
  const name =
    /^\S+@\S+\s*\((.+)\)$/s.exec(text)?.[1] ??
    /^(.+?)\s*<[^<>\s]+@[^<>\s]+>$/s.exec(text)?.[1] ??
    text
  return feedTitle(name)
}

/** The names, each once, joined by commas. */
export function joinedNames(names: (string | null)[]): string | null {
  const distinct = new Set(names.filter((name) => name !== null))
  return distinct.size === 0 ? null : [...distinct].join(", ")
}

/** A short, stable name for an entry that has none. */
export function entryHash(title: string | null, date: string | null): string | null {
  if (title === null && date === null) return null
  return new Bun.CryptoHasher("sha1").update(`${title}\n${date}`).digest("hex")
}
