import { idInAddress } from "./address.ts"

export interface StatedSkus {
  /** From structured data, meta tags and the shop's state, in this order. */
  stated: string[]
  /** Printed next to a label such as "SKU". */
  labelled: string[]
  /** The same in parts of the page that may be lists of other products. */
  apart: string[]
  /** In the form that puts the product into the cart. */
  hidden: () => string | null
}

/** A product may have an article, a model and a maker's number; more belong to several products. */
const maxLabelled = 3

/** The shop's number of a product: the printed one, the data's, or that of its page's URL. */
export function chosenSku(
  { stated, labelled, apart, hidden }: StatedSkus,
  pageUrl: string,
): string | null {
  // A number next to "SKU" or "product code" is the one that the shop's customers use.
  const printed =
    labelled.find((code) => stated.some((other) => isSame(code, other))) ??
    (new Set(labelled).size > maxLabelled ? undefined : labelled[0])
  const alone = new Set(apart).size === 1 ? apart[0] : undefined
  return printed ?? stated[0] ?? alone ?? idInAddress(pageUrl) ?? hidden()
}

/** `466/7999` and 4667999 are one number. */
function isSame(code: string, other: string): boolean {
  return compact(code) === compact(other)
}

export const compact = (code: string) => code.toLowerCase().replace(/[^\p{L}\d]/gu, "")
