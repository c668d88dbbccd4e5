/** The parameters of a call as they came. */
export function queryOf(request: Request): URLSearchParams {
  const start = request.url.indexOf("?")
  return new URLSearchParams(start < 0 ? "" : request.url.slice(start + 1))
}
