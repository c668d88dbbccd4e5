/**
 * A response with an `ETag` of its content, or 304 if the client has it. The tag is weak, because
 * the response may be compressed later.
 */
export function tagged(
  request: Request,
  content: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string>,
): Response {
  const etag = `W/"${Bun.hash(content).toString(36)}"`
  const isKnown = (request.headers.get("if-none-match") ?? "")
    .split(",")
    .some((tag) => tag.trim() === "*" || weak(tag.trim()) === etag)
  if (!isKnown) return new Response(content, { headers: { ...headers, etag } })
  const { "content-type": _, ...others } = headers
  return new Response(null, { status: 304, headers: { ...others, etag } })
}

const weak = (tag: string) => (tag.startsWith("W/") ? tag : `W/${tag}`)
