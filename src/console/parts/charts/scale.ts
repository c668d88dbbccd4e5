/** Returns round values for an axis that holds both ends, about `count` of them. */
export function ticksBetween(min: number, max: number, count = 4): number[] {
  if (!(max > min)) return [min]
  const rough = (max - min) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10)
  const first = Math.floor(min / step)
  const last = Math.ceil(max / step)
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}

/**
 * Returns the ends of an axis for these values. Axes of amounts include zero; others fit the
 * values.
 */
export function endsOf(
  values: readonly number[],
  fromZero: boolean,
): [least: number, most: number] {
  const [min, max] = [Math.min(...values), Math.max(...values)]
  if (fromZero) return [Math.min(0, min), max > 0 ? max : 1]
  if (min !== max) return [min, max]
  const padding = Math.abs(min) * 0.1 || 1
  // Amounts that are all zero have no negative values.
  return [min >= 0 ? Math.max(0, min - padding) : min - padding, max + padding]
}

const hourMs = 3_600_000

/** Returns the label of a moment: the time of day within one day, otherwise the date. */
export function momentOf(at: number, spanMs: number, isByDay: boolean): string {
  const date = new Date(at)
  if (!isByDay && spanMs < 36 * hourMs) {
    return date.toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" })
  }
  return date.toLocaleDateString(undefined, { day: "numeric", month: "short" })
}
