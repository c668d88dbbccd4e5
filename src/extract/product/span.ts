import type { ProductFacts, ProductVariant } from "./facts.ts"

/** Returns the lowest and highest price of variants; nothing if fewer than two have one. */
export function spanOf(variants: ProductVariant[]): ProductFacts {
  const prices = variants.flatMap((variant) => variant.price ?? [])
  if (prices.length < 2) return {}
  return {
    lowPrice: Math.min(...prices),
    highPrice: Math.max(...prices),
    offerCount: variants.length,
  }
}
