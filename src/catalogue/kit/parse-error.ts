import type { UpstreamResponse } from "./context.ts"
import { Changed, EmptyShell, type ScrapeError } from "./core/errors.ts"

/** Some scrapers document the code `parse_error` instead of `layout_changed`. */
const code = "parse_error"

/**
 * Returns Changed with the code `parse_error`.
 * @example throw parseError("The page ends before its data.", response)
 */
export const parseError = (message: string, { url, status }: UpstreamResponse): Changed =>
  new Changed(message, { code, url, statusCode: status })

/**
 * Returns an error with the code `parse_error` for a page that cannot be read. A challenge remains
 * Blocked.
 * @example throw unreadable(response.explainMissing("the product"))
 */
export function unreadable(scrapeError: ScrapeError): ScrapeError {
  const { message, url, statusCode } = scrapeError
  const details = { code, statusCode, ...(url === undefined ? {} : { url }) }
  if (scrapeError instanceof EmptyShell) return new EmptyShell(message, details)
  if (!(scrapeError instanceof Changed)) return scrapeError
  return new Changed(message, {
    ...details,
    ...(scrapeError.field && { field: scrapeError.field }),
  })
}
