import type { XmlElement } from "../core/index.ts"
import type { Archive } from "./archive.ts"
import { named } from "./odf-names.ts"
import { escaped } from "./pages/document-page.ts"

/** Attributes of MathML that readers of MathML need. */
const attributes = ["display", "linethickness", "open", "close"]

/** Objects other than text that a document stores in separate parts. */
export interface OdfObjects {
  /** Returns the root of a frame's object: a formula, a chart or a sheet. */
  rootOf(object: XmlElement): XmlElement | undefined
}

export const objectsOf = (archive: Archive): OdfObjects => ({
  rootOf(object) {
    // LibreOffice writes an empty paragraph into objects that are stored in separate parts.
    const inner = object.elements().find(({ name }) => name !== "p")
    if (inner) return inner
    const folder = (named(object, "href") ?? "").replace(/^\.\//, "").replace(/\/$/, "")
    return folder === "" ? undefined : archive.xml(`${folder}/content.xml`)
  },
})

/** Returns the formula of an object's root as MathML; "" for none. */
export function formulaHtml(root: XmlElement): string {
  const math = root.name === "math" ? root : [...root.within("math")][0]
  return math ? mathml(math) : ""
}

function mathml(element: XmlElement): string {
  const { name } = element
  if (/^annotation/.test(name)) return ""
  const inner = element.children
    .map((child) => (typeof child === "string" ? escaped(child) : mathml(child)))
    .join("")
  if (name === "semantics" || !/^m[a-z]+$/.test(name)) return inner
  const written = attributes.flatMap((attribute) => {
    const value = element.attribute(attribute)
    return value === null ? [] : [` ${attribute}="${escaped(value)}"`]
  })
  return `<${name}${written.join("")}>${inner}</${name}>`
}
