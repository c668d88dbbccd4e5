/** Processor time: the minimum of several readings. */
export interface Times {
  /**
   * Times of a page half as large, and of the page: measured one directly after the other, for
   * their ratio.
   */
  halfMs: number
  cpuMs: number
  /** The page's time on a quiet machine. */
  quietMs: number
}

/** Maximum factor of time for twice the page. */
export const linear = 2.2
/** Maximum time of a small page that does not need a larger one. */
export const suspect = 1.9
export const worthALookMs = 40
/** Below this time a ratio depends on the clock more than on the scraper. */
const noticeableMs = 200

export const ratioOf = ({ halfMs, cpuMs }: Times) => cpuMs / Math.max(1, halfMs)

export const isSteep = (line: Times) => line.cpuMs > noticeableMs && ratioOf(line) > linear

/** With `--in=own`: repeats the site's own elements. */
export const ownBody = "own body"
