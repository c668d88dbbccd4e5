/** Below the ports that systems hand out for `port: 0` and for outgoing connections. */
const firstPort = 20_000
const pairs = 6_000

/** Listeners that keep the returned ports reserved until this process ends. */
const reservations: Bun.TCPSocketListener<unknown>[] = []

/**
 * Returns a port of 127.0.0.1 for a program that must know its port before it starts. The port above it is
 * held by this process as a lock, so no other call returns the same port, in this process or another.
 *
 * @throws Error if all ports are in use.
 */
export function freePort(): number {
  const offset = Math.floor(Math.random() * pairs)
  for (let index = 0; index < pairs; index++) {
    const port = firstPort + 2 * ((offset + index) % pairs)
    const reservation = listen(port + 1)
    if (!reservation) continue
    const probe = listen(port)
    if (!probe) {
      reservation.stop(true)
      continue
    }
    probe.stop(true)
    reservation.unref()
    reservations.push(reservation)
    return port
  }
  throw new Error(`All ports from ${firstPort} to ${firstPort + 2 * pairs} are in use.`)
}

/** Returns undefined if the port is in use. */
function listen(port: number): Bun.TCPSocketListener<unknown> | undefined {
  try {
    return Bun.listen({ hostname: "127.0.0.1", port, exclusive: true, socket: { data() {} } })
  } catch {
    return undefined
  }
}
