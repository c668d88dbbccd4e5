/** What was thrown, as text: an Error, something like one (as an ErrorEvent), or anything else. */
export function messageOf(error: unknown): string {
  const message = (error as Partial<Error> | null | undefined)?.message
  return typeof message === "string" ? message : String(error)
}
