import { messageOf } from "../../../base/error-message.ts"
import { ScrapeError, Timeout, Unreachable } from "../../../catalogue/kit/index.ts"
import { ownLimit } from "../egress/own-limit.ts"

export function errorCode(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "")
}

/** The connection was refused or failed, so the request was never sent. */
export function isRefused(error: unknown): boolean {
  return /REFUSED|UNREACH|ConnectionRefused|FailedToOpenSocket|NETDOWN/i.test(errorCode(error))
}

const words: [RegExp, string][] = [
  [/RESET|EPIPE|ConnectionClosed/i, "was cut"],
  [/HeadersTooLarge/i, "sent too many headers"],
  [/Malformed|Invalid|HTTP/i, "sent invalid HTTP"],
]

const tlsWords: [RegExp, string][] = [
  [/ALTNAME/, "its certificate is for another host name"],
  [/EXPIRED/, "its certificate has expired"],
  [/SELF_SIGNED|SELF-SIGNED/, "its certificate is self-signed"],
  [/UNABLE_TO|ISSUER|UNTRUSTED/, "its certificate's issuer is unknown"],
  [/EPROTO/, "the port does not support TLS (use http://), or only an outdated version"],
]

/** Converts the error of a failed fetch. */
export function connectionFailure(error: unknown, url: string): ScrapeError {
  if (error instanceof ScrapeError) return error
  const code = errorCode(error)
  const message = messageOf(error)
  const { host } = new URL(url)
  const details = { url, cause: error }
  const own = ownLimit(error, host, url)
  if (own) return own
  if (/CERT|TLS|SSL|ALTNAME|EPROTO|UNABLE_TO_|SELF_SIGNED/i.test(code)) {
    const why = tlsWords.find(([pattern]) => pattern.test(code))?.[1] ?? code
    return new Unreachable(`The encrypted connection to ${host} failed: ${why}.`, "tls", details)
  }
  if (/TIMEDOUT|Timeout/i.test(code))
    return new Timeout(`${host} did not respond in time.`, details)
  if (isRefused(error)) {
    return new Unreachable(`${host} refused the connection.`, "connection", {
      ...details,
      nextStep: "Check the host and the port.",
    })
  }
  const how = words.find(([pattern]) => pattern.test(code))?.[1]
  return new Unreachable(
    `The connection to ${host} ${how ?? `failed (${code || message})`}.`,
    "connection",
    details,
  )
}
