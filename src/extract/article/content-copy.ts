import { absoluteUrl, baseUrl, elementsNamed, isUnseen } from "../core/index.ts"
import {
  copyOfMath,
  hiddenMath,
  imageUrlOf,
  isDisplayedMath,
  texOf,
  writtenFormula,
} from "../page/index.ts"

/**
 * A copy of a page that may be cut down: URLs absolute, late images with their URL,
 * formulas as TeX, nothing in it that readers do not see.
 */
export function contentCopy(document: Document, pageUrl: string): Document {
  const copy = document.cloneNode(true) as Document
  cleanCopy(copy.body, baseUrl(document, pageUrl))
  return copy
}

/** The same for a part of a page that was copied already. */
export function cleanCopy(root: Element, base: string): void {
  writeFormulas(root)
  new Cleaner(base).clean(root)
}

function writeFormulas(copy: Element): void {
  for (const math of elementsNamed(copy, "math")) {
    const tex = texOf(math)
    if (tex === null) continue
    const hidden = math.parentElement && hiddenMath(math.parentElement) === math
    const holder = hidden && isUnseen(math.parentElement!) ? math.parentElement! : math
    copyOfMath(holder)?.remove()
    holder.replaceWith(writtenFormula(copy.ownerDocument, tex, isDisplayedMath(math)))
  }
}

const mediaElements = new Set(["iframe", "video", "audio", "img", "input", "source"])

class Cleaner {
  constructor(private readonly base: string) {}

  clean(parent: Element): void {
    let next = parent.firstElementChild
    while (next) {
      const element: Element = next
      next = element.nextElementSibling
      if (element.localName === "noscript") next = this.openNoscript(element) ?? next
      else if (!mediaElements.has(element.localName) && isUnseen(element)) element.remove()
      else {
        if (element.localName === "img") this.fixImage(element)
        this.resolveUrls(element)
        this.clean(element)
      }
    }
  }

  /**
   * Opens a noscript that holds the page itself; one with the image of a lazy image replaces it.
   * Returns the first element that took its place.
   */
  private openNoscript(element: Element): Element | null {
    if (!isUnseen(element)) {
      const [first] = element.children
      element.replaceWith(...element.childNodes)
      return first ?? null
    }
    const image = element.querySelector("img")
    const before = element.previousElementSibling
    const lazy = before?.localName === "img" ? before : before?.querySelector("img")
    if (image && !(lazy && /^https?:/.test(lazy.getAttribute("src") ?? ""))) {
      element.replaceWith(image)
      return image
    }
    element.remove()
    return null
  }

  private fixImage(image: Element): void {
    const url = imageUrlOf(image, this.base)
    if (url === null) return
    image.setAttribute("src", url)
    for (const name of ["srcset", "data-src", "data-srcset", "loading", "sizes"]) {
      if (image.hasAttribute(name)) image.removeAttribute(name)
    }
  }

  private resolveUrls(element: Element): void {
    for (const name of ["href", "src", "poster"]) {
      const written = element.getAttribute(name)
      if (written === null || written.startsWith("#") || /^[a-z]+:/i.test(written)) continue
      const url = absoluteUrl(written, this.base)
      if (url !== null) element.setAttribute(name, url)
    }
  }
}
