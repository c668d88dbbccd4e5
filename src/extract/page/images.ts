import { absoluteUrl, words } from "../core/index.ts"

/** Attributes in which scripts that load images late keep the real URL. */
const lazyAttributes = [
  "data-src",
  "data-original",
  "data-lazy-src",
  "data-lazy",
  "data-hi-res-src",
  "data-full-src",
  "data-url",
]
const lazySets = ["data-srcset", "data-lazy-srcset", "srcset"]

const placeholder = new RegExp(
  String.raw`^data:|(?:^|\/)(?:${words(
    "blank|spacer|pixel|transparent|placeholder|lazy|loading|1x1|clear",
  )})(?:[-_.][\w-]*)?\.(?:gif|png|svg|jpe?g)(?:\?|$)`,
  "i",
)

/**
 * Returns the absolute URL of an image; for a lazy one, the URL that the script would load. Null for
 * tracking pixels and data URLs.
 */
export function imageUrlOf(image: Element, base: string): string | null {
  if (isPixel(image)) return null
  const src = image.getAttribute("src")?.trim() ?? ""
  if (src !== "" && !placeholder.test(src) && !image.hasAttribute("data-src")) {
    return absoluteUrl(src, base)
  }
  for (const name of lazyAttributes) {
    const value = image.getAttribute(name)
    const url = value && !value.startsWith("data:") ? absoluteUrl(value, base) : null
    if (url !== null && !/\s/.test(value!.trim())) return url
  }
  const set = lazySets.map((name) => image.getAttribute(name)).find(Boolean) ?? imageSet(image)
  const largest = set ? absoluteUrl(maxOf(set), base) : null
  return largest ?? (src.startsWith("data:") ? null : absoluteUrl(src, base))
}

function isPixel(image: Element): boolean {
  return ["width", "height"].some((name) =>
    /^\s*[01](?:px)?\s*$/.test(image.getAttribute(name) ?? ""),
  )
}

function imageSet(image: Element): string | null {
  const photo = image.parentElement
  if (photo?.localName !== "picture") return null
  const source = photo.querySelector("source[srcset], source[data-srcset]")
  return source?.getAttribute("srcset") ?? source?.getAttribute("data-srcset") ?? null
}

/** The URL of a `srcset` with the greatest width or density. */
function maxOf(set: string): string | null {
  let best: string | null = null
  let max = -1
  for (const [, url, size] of set.matchAll(/([^\s,]\S*[^\s,])(?:\s+([\d.]+)[wx])?\s*(?:,|$)/g)) {
    const value = size === undefined ? 0 : Number(size)
    if (value > max && !url!.startsWith("data:")) [best, max] = [url!, value]
  }
  return best
}

const emojiNames = /(?:^|[\s/_-])(?:emojis?|smil(?:ey|ie)s?|emoticons?)(?=$|[\s/_-])/i
const maxEmoji = 30

/** Returns whether an image is an emoji by its alternative text: 🙂, ":smile:" or ";)". */
export function isEmoji(image: Element): boolean {
  const text = imageText(image)
  if (text === "" || text.length > maxEmoji) return false
  if (/^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)+$/u.test(text)) return true
  const isSign = /^:[\w+-]+:$|^(?=.*[^\p{L}\p{N}])\S{1,5}$/u.test(text)
  const names = `${image.getAttribute("class") ?? ""} ${image.getAttribute("src") ?? ""}`
  return isSign && emojiNames.test(names)
}

/** An image's alternative text, without the tags that some sites put in it. */
export function imageText(image: Element): string {
  return (image.getAttribute("alt") ?? "")
    .replace(/<[^<>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim()
}
