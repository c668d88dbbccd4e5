import { foldSpace } from "../core/index.ts"

const sourceElements = new Set(["audio", "embed", "iframe", "img", "source", "track", "video"])
const linkElements = new Set(["a", "area", "link"])

/**
 * Returns the value of an element with `itemprop` or `property`: `content` if it has one, else the
 * attribute of its element type, else its text. Null if it is empty.
 */
export function contentValue(element: Element, base: string): string | null {
  const content = element.getAttribute("content")
  if (content !== null) return textOrNothing(content)
  const name = element.localName
  if (name === "meta") return null
  if (sourceElements.has(name)) return sourceOf(element, base)
  if (linkElements.has(name)) {
    const href = element.getAttribute("href")
    if (href !== null) return addressOf(href, base)
  }
  if (name === "object") return addressOf(element.getAttribute("data"), base)
  if (name === "data" || name === "meter") {
    const value = element.getAttribute("value")
    if (value !== null) return textOrNothing(value)
  }
  if (name === "time") {
    const datetime = textOrNothing(element.getAttribute("datetime") ?? "")
    if (datetime !== null) return datetime
  }
  if (name === "ul" || name === "ol") return itemsOf(element)
  return textOrNothing(element.textContent ?? "")
}

/** The entries of a list, a line for each. */
function itemsOf(list: Element): string | null {
  const items = [...list.children].filter(({ localName }) => localName === "li")
  if (items.length < 2) return textOrNothing(list.textContent ?? "")
  const lines = items.map((item) => foldSpace(item.textContent ?? ""))
  return lines.filter((line) => line !== "").join("\n") || null
}

/** The URL of an image or player; lazy ones keep it in `data-src`. */
function sourceOf(element: Element, base: string): string | null {
  const src = element.getAttribute("src")?.trim()
  if (src && !src.startsWith("data:")) return addressOf(src, base)
  const lazy = element.getAttribute("data-src") ?? element.getAttribute("data-original")
  return addressOf(lazy, base)
}

/** Returns a URL resolved against `base`; text that is not a URL is returned unchanged. */
export function addressOf(url: string | null, base: string): string | null {
  const written = foldSpace(url ?? "")
  if (written === "") return null
  return URL.parse(written, base)?.href ?? written
}

function textOrNothing(text: string): string | null {
  return foldSpace(text) || null
}
