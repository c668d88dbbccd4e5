/** Failures of the disk, not of the change: it can be made once they are over. */
export type DiskFault = "full" | "locked" | "read_only" | "failing"

const faults: [RegExp, DiskFault][] = [
  [/^SQLITE_FULL/, "full"],
  [/^SQLITE_(?:BUSY|LOCKED)/, "locked"],
  [/^SQLITE_READONLY/, "read_only"],
  [/^SQLITE_(?:IOERR|CANTOPEN)/, "failing"],
]

export function diskFault(error: unknown): DiskFault | undefined {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== "string") return undefined
  return faults.find(([pattern]) => pattern.test(code))?.[1]
}

/** In words, for the log and for callers. */
export const diskFaultWords: Record<DiskFault, string> = {
  full: "the disk is full",
  locked: "another process holds the database's lock",
  read_only: "the database is read-only",
  failing: "the disk fails",
}
