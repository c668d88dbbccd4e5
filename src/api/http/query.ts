/** Shared by requests without a query; never modified. */
const none = new URLSearchParams()

/** The query parameters of a request. */
export function queryOf(request: Request): URLSearchParams {
  const { url } = request
  const start = url.indexOf("?")
  return start < 0 ? none : new URLSearchParams(url.slice(start + 1))
}
