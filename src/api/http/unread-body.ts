/** More of a body that nobody wants is not read; the connection ends before the rest. */
const maxBytes = 64 * 1024 * 1024

/** Milliseconds for it: what a body that is wanted has. */
const withinMs = 20_000

/**
 * Reads to its end what an answer has left of its call's body, where the connection ends with the
 * answer: closed on bytes that nobody took, it is reset, and a caller that is still sending, as reverse
 * proxies are, may never see the answer. On a connection that stays, the server passes over a rest of
 * a known size; one without an end is left, and its connection ends.
 */
export async function passOverRest(
  request: Request,
  { headers }: Response,
  waitMs = withinMs,
): Promise<void> {
  const stated = request.headers.get("content-length")
  const isBounded = stated !== null && Number(stated) <= maxBytes
  if (isBounded && !isClosing(headers) && !isClosing(request.headers)) return
  const rest = request.body
  // Read by somebody, or given up while it was.
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
