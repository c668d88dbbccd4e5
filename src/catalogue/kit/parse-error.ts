import type { Answer } from "./context.ts"
import { Changed, EmptyShell, type Outcome } from "./outcome.ts"

/** Some scrapers promise the code `parse_error` for what is `changed` elsewhere. */
const code = "parse_error"

export const parseError = (message: string, { url, status }: Answer): Changed =>
  new Changed(message, { code, url, statusCode: status })

/** An outcome under that code where the page could not be read; a wall stays a wall. */
export function unreadable(outcome: Outcome): Outcome {
  const { message, url, statusCode } = outcome
  const details = { code, statusCode, ...(url === undefined ? {} : { url }) }
  if (outcome instanceof EmptyShell) return new EmptyShell(message, details)
  if (!(outcome instanceof Changed)) return outcome
  return new Changed(message, { ...details, ...(outcome.field && { field: outcome.field }) })
}
