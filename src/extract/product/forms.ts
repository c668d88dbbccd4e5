/** Attributes and fields in which shops keep a product's number; database ids do not count. */
const codeFields: [selector: string, attribute: string][] = [
  ["input[name=sku]", "value"],
  ["[data-product-sku]", "data-product-sku"],
  ["[data-sku]", "data-sku"],
  ["[data-product-code]", "data-product-code"],
]

/**
 * Returns the number under which a page's form orders the product; null if several products have one, as
 * in lists.
 */
export function orderedSku(document: Document): string | null {
  for (const [selector, attribute] of codeFields) {
    const values = [...document.querySelectorAll(selector)].map(
      (element) => element.getAttribute(attribute)?.trim() ?? "",
    )
    const isCode = (value: string) => /^[\w./-]{2,40}$/.test(value) && /\d/.test(value)
    const codes = new Set(values.filter(isCode))
    if (codes.size === 1) return [...codes][0]!
  }
  return null
}
