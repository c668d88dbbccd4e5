/** Returns round values for an axis that holds both ends, about `count` of them. */
export function ticksBetween(least: number, most: number, count = 4): number[] {
  if (!(most > least)) return [least]
  const rough = (most - least) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10)
  const first = Math.floor(least / step)
  const last = Math.ceil(most / step)
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
  const [least, most] = [Math.min(...values), Math.max(...values)]
  if (fromZero) return [Math.min(0, least), most > 0 ? most : 1]
  if (least !== most) return [least, most]
  const room = Math.abs(least) * 0.1 || 1
  // Amounts that are all zero have no negative values.
  return [least >= 0 ? Math.max(0, least - room) : least - room, most + room]
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
