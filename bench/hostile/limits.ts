/** By processor time: of the page, and of one half as large. */
export interface Times {
  halfMs: number
  cpuMs: number
}

/** Twice the page may take this much more time. */
export const linear = 2.2
/** What a small page may take before it is thought worth a larger one. */
export const suspect = 1.9
export const worthALookMs = 40
/** Below this a ratio says more of the clock than of the scraper. */
const noticeableMs = 200

export const ratioOf = ({ halfMs, cpuMs }: Times) => cpuMs / Math.max(1, halfMs)

export const isSteep = (line: Times) => line.cpuMs > noticeableMs && ratioOf(line) > linear
