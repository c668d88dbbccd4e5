export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

const farthestMs = Date.UTC(9999, 11, 31)

/** So many days from a time, less than none before it; days without end come to the first date, or the last. */
export const daysFrom = (time: number, days: number): string =>
  new Date(Math.min(Math.max(0, time + days * dayMs), farthestMs)).toISOString()
