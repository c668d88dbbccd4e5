import { absoluteUrl, baseUrl, elementsNamed, elementsWhere } from "./html.ts"
import { imageAddress } from "./images.ts"
import { hiddenMath, texOf } from "./math.ts"
import { isUnseen } from "./visibility.ts"

/**
 * A copy of a page that may be cut down: addresses absolute, late pictures with their address,
 * formulas as TeX, nothing in it that readers do not see.
 */
export function contentCopy(document: Document, pageUrl: string): Document {
  const copy = document.cloneNode(true) as Document
  const base = baseUrl(document, pageUrl)
  writeFormulas(copy)
  for (const image of elementsNamed(copy, "img")) fixImage(image, base)
  removeUnseen(copy)
  for (const element of elementsWhere(copy, () => true)) fixAddresses(element, base)
  return copy
}

function writeFormulas(copy: Document): void {
  for (const math of elementsNamed(copy, "math")) {
    const tex = texOf(math)
    if (tex === null) continue
    const hidden = math.parentElement && hiddenMath(math.parentElement) === math
    const place = hidden && isUnseen(math.parentElement!) ? math.parentElement! : math
    const next = place.nextElementSibling
    if (next && (next.localName === "img" || next.getAttribute("aria-hidden") === "true"))
      next.remove()
    const formula = copy.createElement("code")
    formula.setAttribute("class", "math-tex")
    formula.textContent = tex
    place.replaceWith(formula)
  }
}

function fixImage(image: Element, base: string): void {
  const address = imageAddress(image, base)
  if (address === null) return
  image.setAttribute("src", address)
  for (const name of ["srcset", "data-src", "data-srcset", "loading", "sizes"]) {
    if (image.hasAttribute(name)) image.removeAttribute(name)
  }
}

const keptUnseen = new Set([
  "iframe",
  "video",
  "audio",
  "img",
  "input",
  "source",
  "noscript",
  "head",
])

function removeUnseen(copy: Document): void {
  for (const element of elementsWhere(copy.body, () => true)) {
    if (!keptUnseen.has(element.localName)) {
      if (isUnseen(element)) element.remove()
    } else if (element.localName === "noscript") openNoscript(element)
  }
}

/** A noscript that holds the page itself is opened; one with the picture of a lazy image replaces it. */
function openNoscript(element: Element): void {
  if (!isUnseen(element)) {
    element.replaceWith(...element.childNodes)
    return
  }
  const image = element.querySelector("img")
  const before = element.previousElementSibling
  const lazy = before?.localName === "img" ? before : before?.querySelector("img")
  if (image && !(lazy && /^https?:/.test(lazy.getAttribute("src") ?? "")))
    element.replaceWith(image)
  else element.remove()
}

function fixAddresses(element: Element, base: string): void {
  for (const name of ["href", "src", "poster"]) {
    const written = element.getAttribute(name)
    if (written === null || written.startsWith("#") || /^[a-z]+:/i.test(written)) continue
    const address = absoluteUrl(written, base)
    if (address !== null) element.setAttribute(name, address)
  }
}
