/** By processor time, the least of several readings. */
export interface Times {
  /** Of a page half as large, and of the page: one directly after the other, for their ratio. */
  halfMs: number
  cpuMs: number
  /** What the page would take on a machine that does nothing else. */
  quietMs: number
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

/** With `--in=own`: what the site has itself, again and again. */
export const ownBody = "own body"
