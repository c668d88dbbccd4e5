import { numberOrNull, round } from "../../extract/core/index.ts"

/** The store displays a mean of 0 for an extension without ratings; it is not a rating. */
export function ratingFields(rating: number | null, count: number | null) {
  const real = rating !== null && rating >= 0 && rating <= 5 && count !== 0
  return { rating: real ? round(rating) : null, ratingCount: count }
}

const units = { b: 1, kib: 1024, kb: 1024, mib: 1024 ** 2, mb: 1024 ** 2, gib: 1024 ** 3 }

/** Returns a size as the store displays it, for example "1.02MiB", and in bytes. */
export function sizeFields(written: string | null) {
  const match = /^([\d.,]+)\s*([kmg]?i?b)$/i.exec(written?.trim() ?? "")
  const number = numberOrNull(match?.[1]?.replaceAll(",", ""))
  const unit = units[match?.[2]?.toLowerCase() as keyof typeof units]
  if (number === null || !unit) return { sizeText: null, sizeBytes: null }
  return { sizeText: written!.trim(), sizeBytes: Math.round(number * unit) }
}
