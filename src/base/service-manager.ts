import { openC } from "./c-library.ts"
import { every } from "./every.ts"

const unixFamily = 1
const datagram = 2
/** Maximum length of a Unix socket's path. */
const maxPath = 107

type Environment = Record<string, string | undefined>

/** Notifies systemd of the state of this process (sd_notify): ready, alive, stopping. */
export class ServiceManager {
  private constructor(
    private readonly send: (text: string) => void,
    private readonly watchdogMs: number,
  ) {}

  /** Returns undefined without a service manager. Chrome and other children must not notify it. */
  static of(env: Environment, pid = process.pid): ServiceManager | undefined {
    const { NOTIFY_SOCKET: path, WATCHDOG_USEC: microseconds, WATCHDOG_PID: watched } = env
    for (const name of ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]) delete env[name]
    const send = path ? sender(path) : undefined
    if (!send) return undefined
    const isWatched = watched === undefined || watched === String(pid)
    return new ServiceManager(send, isWatched ? Number(microseconds ?? 0) / 1000 : 0)
  }

  /**
   * Reports that the service listens. From now on, the watchdog is notified while the main thread
   * runs.
   */
  ready(): void {
    this.send("READY=1")
    if (!(this.watchdogMs > 0)) return
    every(
      this.watchdogMs / 3,
      async () => {
        this.send("WATCHDOG=1")
      },
      { firstMs: 0, onError: () => {} },
    )
  }

  /** Reports the shutdown; the watchdog is still notified, because it may take long. */
  stopping(): void {
    this.send("STOPPING=1")
  }
}

/** Bun has no datagrams over Unix sockets, so the C library sends them. */
function sender(path: string): ((text: string) => void) | undefined {
  if (!/^[/@]/.test(path) || Buffer.byteLength(path) > maxPath) return undefined
  const c = openC({
    socket: { args: ["i32", "i32", "i32"], returns: "i32" },
    sendto: { args: ["i32", "ptr", "u64", "i32", "ptr", "u32"], returns: "i64" },
    close: { args: ["i32"], returns: "i32" },
  })
  if (!c) return undefined
  // "@" stands for an abstract name, which starts with a zero byte.
  const name = Buffer.from(path.replace(/^@/, "\0"))
  const address = Buffer.concat([Buffer.from([unixFamily, 0]), name])
  return (text) => {
    const socket = c.socket(unixFamily, datagram, 0)
    if (socket < 0) return
    const bytes = Buffer.from(text)
    c.sendto(socket, bytes, bytes.length, 0, address, address.length)
    c.close(socket)
  }
}
