/**
 * A document with this policy runs no script, loads nothing and has no origin, so that content of a
 * scraped page cannot act for the user who opens it.
 */
const sandbox = "sandbox; default-src 'none'"

/**
 * Sets the headers that keep browsers from running a response's content. Trawl's own pages set a
 * policy of their own; every other response is sandboxed, whatever its media type, because XML, for
 * example, may contain scripts.
 */
export function confine(response: Response): void {
  const { headers } = response
  headers.set("x-content-type-options", "nosniff")
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", sandbox)
}
