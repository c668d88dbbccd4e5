import { texOfMathml } from "./mathml.ts"

/** Returns a formula as TeX, from its embedded source or else its MathML; null if it is empty. */
export function texOf(math: Element): string | null {
  for (const annotation of math.getElementsByTagName("annotation")) {
    if (!/tex/i.test(annotation.getAttribute("encoding") ?? "")) continue
    return cleanTex(annotation.textContent ?? "")
  }
  return cleanTex(math.getAttribute("alttext") ?? "") ?? cleanTex(texOfMathml(math))
}

function cleanTex(written: string): string | null {
  const tex = written.replace(/\s+/g, " ").trim()
  const inner = /^\{\\(?:display|text)style\s*(.*)\}$/s.exec(tex)?.[1] ?? tex
  return inner.trim() || null
}

/** A formula that is hidden because an image or styled copy is shown instead. */
export function hiddenMath(element: Element): Element | null {
  const only = element.firstElementChild
  return only?.localName === "math" && !only.nextElementSibling ? only : null
}

/** Returns whether an element is the visual copy of the formula just before it, or just after it. */
export function isMathCopy(element: Element): boolean {
  if (isDrawnMath(element)) return true
  if (element.localName !== "img" && element.getAttribute("aria-hidden") !== "true") return false
  const before = adjacent(element, "previousSibling")
  if (!before) return false
  const math = before.localName === "math" ? before : hiddenMath(before)
  return math !== null && texOf(math) !== null
}

/** The element next to another, with nothing but space between. */
function adjacent(element: Element, side: "previousSibling" | "nextSibling"): Element | null {
  let node = element[side]
  while (node?.nodeType === 3 && node.nodeValue!.trim() === "") node = node[side]
  return node?.nodeType === 1 ? (node as Element) : null
}

/** The image of a formula whose source is hidden before it. */
export function copyOfMath(element: Element): Element | null {
  const next = adjacent(element, "nextSibling")
  return next && isMathCopy(next) ? next : null
}

/** The source that MathJax is given in a script. */
export function texOfScript(element: Element): string | null {
  if (element.localName !== "script") return null
  const isTex = /^math\/tex/i.test(element.getAttribute("type") ?? "")
  return isTex ? cleanTex(element.textContent ?? "") : null
}

const texImage = /(?:^|\s)(?:tex|latex|mwe-math-fallback-image-\w+|ql-img-\w+-formula)(?:\s|$)/
const texAddress = /latex\.php|codecogs\.com|\/math\/render\/|mimetex|mathtex/

/** The source that the image of a formula has as its text. */
export function texOfImage(image: Element): string | null {
  const isTex =
    texImage.test(image.getAttribute("class") ?? "") ||
    texAddress.test(image.getAttribute("src") ?? "")
  return isTex ? cleanTex(image.getAttribute("alt") ?? "") : null
}

const texClass = /(?:^|\s)(?:math|arithmatex|math-container|js-(?:inline|display)-math)(?:\s|$)/
const delimiters = /^\s*(?:\\\((.+)\\\)|\\\[(.+)\\\]|\$\$(.+)\$\$|\$([^$]+)\$)\s*$/s

/** Returns the TeX between the delimiters of a script on the page. */
export function delimitedTex(element: Element): string | null {
  const names = element.getAttribute("class")
  if (!names || !texClass.test(names) || element.firstElementChild) return null
  const match = delimiters.exec(element.textContent ?? "")
  return match ? cleanTex(match[1] ?? match[2] ?? match[3] ?? match[4] ?? "") : null
}

/** Returns whether an element is MathJax's rendering of the script after it. */
export function isDrawnMath(element: Element, className = element.className): boolean {
  if (!className.startsWith("MathJax")) return false
  let next = adjacent(element, "nextSibling")
  for (let step = 0; step < 2 && next?.className.startsWith("MathJax"); step++) {
    next = adjacent(next, "nextSibling")
  }
  return next !== null && texOfScript(next) !== null
}

const displayed =
  /(?:^|\s)(?:katex-display|MathJax_Display|mwe-math-element-block|math-display)(?:\s|$)/
/** Maximum number of ancestors of a formula that may set its display. */
const displayDepth = 5

/** Returns whether a formula, or a script with one, is shown on lines of its own. */
export function isDisplayedMath(math: Element): boolean {
  if (math.localName === "script") return /mode=display/i.test(math.getAttribute("type") ?? "")
  if (math.getAttribute("display") === "block" || math.hasAttribute("data-display")) return true
  if (math.localName === "img") return /display/.test(math.getAttribute("class") ?? "")
  if (math.localName !== "math" && /^\s*(?:\\\[|\$\$)/.test(math.textContent ?? "")) return true
  let around = math.parentElement
  for (let step = 0; around && step < displayDepth; step++) {
    if (displayed.test(around.getAttribute("class") ?? "")) return true
    if (around.localName === "mjx-container") return around.getAttribute("display") === "true"
    around = around.parentElement
  }
  return false
}

/** Returns the element of a formula for the copy of a page: its TeX. */
export function writtenFormula(document: Document, tex: string, isDisplayed: boolean): Element {
  const formula = document.createElement("code")
  formula.setAttribute("class", "math-tex")
  if (isDisplayed) formula.setAttribute("data-display", "")
  formula.textContent = tex
  return formula
}
