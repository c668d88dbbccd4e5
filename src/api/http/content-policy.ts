/**
 * A document with this policy runs no script, loads nothing and has no origin: content of a scraped
 * page cannot act on behalf of the user who opens it.
 */
const sandbox = "sandbox; default-src 'none'"

/**
 * Sets the headers that keep browsers from running a response's content. Pages of Trawl's own bring a
 * policy; every other response gets the sandbox, whatever its media type: XML, for example, may hold
 * scripts, too.
 */
export function confine(response: Response): void {
  const { headers } = response
  headers.set("x-content-type-options", "nosniff")
  if (!headers.has("content-security-policy")) headers.set("content-security-policy", sandbox)
}
