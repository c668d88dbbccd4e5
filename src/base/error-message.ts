/**
 * Returns what was thrown as text: an Error, an object like one (for example an ErrorEvent), or
 * anything else.
 */
export function messageOf(error: unknown): string {
  const message = (error as Partial<Error> | null | undefined)?.message
  return typeof message === "string" ? message : String(error)
}
