export const runStatuses = [
  "queued",
  "running",
  "succeeded",
  "failed",
  "timed_out",
  "aborting",
  "aborted",
] as const

export type RunStatus = (typeof runStatuses)[number]
