import { every, type Loop } from "../../../base/every.ts"
import { type Descriptors, descriptors } from "../../../base/process-usage.ts"

const everyMs = 250
/**
 * Maximum share of file descriptors for connections; the rest is for the database, Chrome and
 * upstreams.
 */
const maxShare = 0.8

interface Listener {
  /** Returns the number of closed connections. */
  closeIdleConnections(): number
}

/** Closes idle connections while nearly all file descriptors are open. */
export function watchIdleConnections(
  server: Listener,
  onClosed: (message: string) => void,
  { ms = everyMs, read = descriptors }: { ms?: number; read?(): Descriptors | undefined } = {},
): Loop {
  const look = async () => {
    const known = read()
    if (!known) return
    // No descriptor is left to count the open ones.
    const isFull = known.open === Number.POSITIVE_INFINITY
    if (!isFull && known.open <= known.max * maxShare) return
    const closed = server.closeIdleConnections()
    onClosed(
      `${isFull ? "All" : `${known.open} of ${known.max}`} file descriptors are open: ${closed} idle connections were closed. Raise the limit (LimitNOFILE), or limit connections in a reverse proxy.`,
    )
  }
  return every(ms, look, { onError: (error) => onClosed(String(error)) })
}
