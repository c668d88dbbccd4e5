/** The TeX source that a formula carries with it; null when it has none. */
export function texOf(math: Element): string | null {
  for (const annotation of math.getElementsByTagName("annotation")) {
    if (!/tex/i.test(annotation.getAttribute("encoding") ?? "")) continue
    return cleanTex(annotation.textContent ?? "")
  }
  return cleanTex(math.getAttribute("alttext") ?? "")
}

function cleanTex(written: string): string | null {
  const tex = written.replace(/\s+/g, " ").trim()
  const inner = /^\{\\(?:display|text)style\s*(.*)\}$/s.exec(tex)?.[1] ?? tex
  return inner.trim() || null
}

/** A formula that is hidden because a picture or styled copy is shown instead. */
export function hiddenMath(element: Element): Element | null {
  const only = element.firstElementChild
  return only?.localName === "math" && !only.nextElementSibling ? only : null
}

/** Whether an element is the visual copy of the formula just before it. */
export function isMathCopy(element: Element): boolean {
  const before = element.previousElementSibling
  if (!before) return false
  const math = before.localName === "math" ? before : hiddenMath(before)
  return math !== null && texOf(math) !== null
}
