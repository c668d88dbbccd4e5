/** Twice the page may take this much more time. */
export const linear = 2.2
/** What a small page may take before it is thought worth a larger one. */
export const suspect = 1.9
/** Below this a ratio says more of the clock than of the scraper. */
const noticeableMs = 200

export const ratioOf = ({ halfMs, cpuMs }: { halfMs: number; cpuMs: number }) =>
  cpuMs / Math.max(1, halfMs)

export const isSteep = (line: { halfMs: number; cpuMs: number }) =>
  line.cpuMs > noticeableMs && ratioOf(line) > linear
