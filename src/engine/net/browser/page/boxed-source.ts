/** The source of the page, with the boxes of its first visible elements. */
export function boxedSource(maxElements: number): string {
  return `(() => {
    const page = document.documentElement
    const copy = page.cloneNode(true)
    const originals = page.querySelectorAll("*"), copies = copy.querySelectorAll("*")
    const count = Math.min(originals.length, copies.length, ${maxElements})
    for (let at = 0; at < count; at++) {
      if (originals[at].localName !== copies[at].localName) break
      if (!originals[at].checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const { x, y, width, height } = originals[at].getBoundingClientRect()
      if (width < 1 || height < 1) continue
      const box = [x + scrollX, y + scrollY, width, height]
      copies[at].setAttribute("data-trawl-box", box.map(Math.round).join(" "))
    }
    return "<!DOCTYPE html>" + copy.outerHTML
  })()`
}
