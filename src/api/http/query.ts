/** Shared by requests without a query; never modified. */
const none = new URLSearchParams()

/** The parameters of a call as they came. */
export function queryOf(request: Request): URLSearchParams {
  const { url } = request
  const start = url.indexOf("?")
  return start < 0 ? none : new URLSearchParams(url.slice(start + 1))
}
