import { messageOf } from "../../../base/error-message.ts"
import type { Config } from "../../../config/config.ts"
import { S3Storage } from "../../net/files/s3-storage.ts"
import { positionOf } from "../backups/storage-of.ts"

/** Response of a configured service: null if it is available, otherwise the reason. */
export interface ServiceCheck {
  what: string
  where: string
  issue: string | null
}

const gracePeriodMs = 5_000

/** Connects to the configured storages and mail server, without sending or storing anything. */
export async function checkServices(config: Config): Promise<ServiceCheck[]> {
  const { backupTo, s3Bucket, smtpUrl, env } = config
  const checks: Promise<ServiceCheck>[] = []
  const check = (what: string, where: string, look: () => Promise<unknown>) =>
    checks.push(within(look).then((issue) => ({ what, where, issue })))
  if (backupTo) check("backups", backupTo, () => positionOf({ backupTo, env }).list())
  if (s3Bucket) check("files", s3Bucket, () => S3Storage.of(s3Bucket, env).open("doctor", first))
  const mail = smtpUrl === undefined ? null : URL.parse(smtpUrl)
  if (mail) check("mail server", mail.host, () => greet(mail))
  return Promise.all(checks)
}

const first = { from: 0, to: 1 }

async function within(look: () => Promise<unknown>): Promise<string | null> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`no response within ${gracePeriodMs / 1000} s`)),
    gracePeriodMs,
  )
  try {
    await Promise.race([look(), late.promise])
    return null
  } catch (error) {
    return messageOf(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for a mail server's greeting. @throws Error with the reason if there is none */
async function greet({ hostname, port, protocol }: URL): Promise<void> {
  const isSecure = protocol === "smtps:"
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  // The connection may be closed before the promise is awaited.
  promise.catch(() => {})
  const socket = await Bun.connect({
    hostname,
    port: Number(port) || (isSecure ? 465 : 587),
    tls: isSecure,
    socket: {
      data(_, bytes) {
        const text = new TextDecoder().decode(bytes)
        if (text.startsWith("220")) resolve()
        else
          reject(
            new Error(
              `it is not a mail server, or it refuses the connection: ${text.slice(0, 100).trim()}`,
            ),
          )
      },
      close: () => reject(new Error("it closed the connection")),
      error: (_, error) => reject(error),
    },
  })
  await promise.finally(() => socket.end())
}
