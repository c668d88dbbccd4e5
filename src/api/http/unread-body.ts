/** Maximum bytes of an unwanted body that are read before the connection is closed. */
const maxBytes = 64 * 1024 * 1024

/** Maximum milliseconds for it, as for other bodies. */
const withinMs = 20_000

/**
 * Reads the unread rest of a request's body if the connection closes after the response. If unread bytes
 * were left, closing would reset the connection, and a client that still sends, for example a reverse
 * proxy, might never see the response. On a persistent connection, the server skips a rest of known
 * size; one of unknown size is left, and the connection closes.
 */
export async function passOverRest(
  request: Request,
  { headers }: Response,
  waitMs = withinMs,
): Promise<void> {
  const lengthHeader = request.headers.get("content-length")
  const isBounded = lengthHeader !== null && Number(lengthHeader) <= maxBytes
  if (isBounded && !isClosing(headers) && !isClosing(request.headers)) return
  const rest = request.body
  // The body is being read, or was cancelled.
  if (!rest || rest.locked) return
  if (!(await isReadToItsEnd(rest, waitMs))) headers.set("connection", "close")
}

const isClosing = (headers: Headers) => /\bclose\b/i.test(headers.get("connection") ?? "")

async function isReadToItsEnd(body: ReadableStream<Uint8Array>, waitMs: number): Promise<boolean> {
  const reader = body.getReader()
  let isLeft = false
  const leave = () => {
    isLeft = true
    void reader.cancel().catch(() => {})
  }
  const timer = setTimeout(leave, waitMs)
  try {
    for (let size = 0; size <= maxBytes; ) {
      const { done, value } = await reader.read()
      if (done) return !isLeft
      size += value.byteLength
    }
    leave()
  } catch {
    // The caller is gone.
  } finally {
    clearTimeout(timer)
  }
  return false
}
