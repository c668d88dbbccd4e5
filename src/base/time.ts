export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

const farthestMs = Date.UTC(9999, 11, 31)

/** Returns the date after a number of days; negative days count back. Out of range: the first or last date. */
export const daysFrom = (time: number, days: number): string =>
  new Date(Math.min(Math.max(0, time + days * dayMs), farthestMs)).toISOString()
