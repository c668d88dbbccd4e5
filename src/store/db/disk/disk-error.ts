/** Failures of the disk or the server, not of the change, which succeeds once they are resolved. */
export type DiskError = "full" | "locked" | "read_only" | "failing" | "away"

const issues: [RegExp, DiskError][] = [
  [/^SQLITE_FULL|^POSTGRES_53100/, "full"],
  [/^SQLITE_(?:BUSY|LOCKED)|^POSTGRES_55P03/, "locked"],
  [/^SQLITE_READONLY/, "read_only"],
  [/^SQLITE_(?:IOERR|CANTOPEN)/, "failing"],
  [/^POSTGRES_AWAY/, "away"],
]

export function diskIssue(error: unknown): DiskError | undefined {
  const code = (error as { code?: unknown } | null)?.code
  if (typeof code !== "string") return undefined
  return issues.find(([pattern]) => pattern.test(code))?.[1]
}

/** Descriptions for the log and for callers. */
export const diskIssueWords: Record<DiskError, string> = {
  full: "the disk is full",
  locked: "another process has locked the database",
  read_only: "the database is read-only",
  failing: "the disk fails, or no file descriptors are left",
  away: "the database server cannot be reached",
}
