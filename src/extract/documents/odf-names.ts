import type { XmlElement } from "../core/index.ts"

const base = "urn:oasis:names:tc:opendocument:xmlns"
const namespaces = [
  `${base}:office:1.0`,
  `${base}:table:1.0`,
  `${base}:text:1.0`,
  `${base}:drawing:1.0`,
  `${base}:style:1.0`,
  `${base}:presentation:1.0`,
  `${base}:xsl-fo-compatible:1.0`,
  "http://www.w3.org/1999/xlink",
]

/** Returns an attribute in any namespace of OpenDocument: the local names are unique. */
export function named(element: XmlElement, name: string): string | null {
  for (const namespace of namespaces) {
    const value = element.attribute(name, namespace)
    if (value !== null) return value
  }
  return null
}

const groups = new Set(["table-header-rows", "table-rows", "table-row-group"])

/** Returns the rows of a table, also those in groups. */
export function* rowsOf(table: XmlElement): Generator<XmlElement> {
  for (const child of table.elements()) {
    if (child.name === "table-row") yield child
    else if (groups.has(child.name)) yield* rowsOf(child)
  }
}
