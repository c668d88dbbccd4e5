import { headingText } from "../page/index.ts"
import {
  nodesAt,
  nodesOfType,
  type StructuredData,
  textAt,
  textOfAny,
} from "../structured/index.ts"

/** The path to a page that its structured data or navigation shows, from the top. */
export function breadcrumbs(document: Document, structured: StructuredData): string[] {
  for (const list of nodesOfType(structured, "BreadcrumbList")) {
    const names = nodesAt(structured, list, "itemListElement").flatMap((entry) => {
      const item = nodesAt(structured, entry, "item")[0]
      return (
        textAt(structured, entry, "name") ?? (item && textOfAny(structured, item, "name")) ?? []
      )
    })
    if (names.length > 0) return names
  }
  const selector = ".breadcrumb li, .breadcrumbs li, nav[aria-label*=breadcrumb i] li"
  const items = [...document.querySelectorAll(selector)]
    .map((element) => headingText(element).replace(/^[\s/›»>|·]+|(?<![\s/›»>|·])[\s/›»>|·]+$/g, ""))
    .filter((text) => text !== "")
  return items.filter((text, index) => text !== items[index - 1])
}
