import type { CDPSession, Protocol } from "puppeteer-core"
import { Unreachable } from "../../../../catalogue/kit/index.ts"
import { joined, tooLarge } from "../../http/inflate.ts"
import { chromeGone } from "../lease/lease-end.ts"
import type { NetRequest } from "./net-request.ts"

export type Paused = Protocol.Fetch.RequestPausedEvent

const readBytes = 256 * 1024

/**
 * Reads the body of a paused response, up to its limit.
 * @param isOver Whether the tab is gone, so that the upstream is not at fault.
 * @throws TooLarge | Unreachable
 */
export async function readBody(
  cdp: CDPSession,
  { requestId }: Paused,
  request: NetRequest,
  isOver: () => boolean,
): Promise<Uint8Array> {
  const { stream: handle } = await cdp
    .send("Fetch.takeResponseBodyAsStream", { requestId })
    .catch((error) => {
      throw chromeGone(error)
    })
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (;;) {
      const { data, base64Encoded, eof } = await cdp
        .send("IO.read", { handle, size: readBytes })
        .catch((error) => {
          throw isOver() ? chromeGone(error) : cutOff(request, error)
        })
      const chunk = Buffer.from(data, base64Encoded ? "base64" : "utf8")
      size += chunk.length
      chunks.push(chunk)
      if (size > request.maxBytes) {
        if (!request.truncate) throw tooLarge(request)
        return joined(chunks, size).slice(0, request.maxBytes)
      }
      if (eof) return new Uint8Array(joined(chunks, size))
    }
  } finally {
    cdp.send("IO.close", { handle }).catch(() => {})
  }
}

function cutOff({ url }: NetRequest, cause: unknown): Unreachable {
  const { host } = new URL(url)
  return new Unreachable(`The connection to ${host} was cut.`, "connection", { url, cause })
}

export function isRedirected({ responseStatusCode = 0, responseHeaders = [] }: Paused): boolean {
  const leads = responseHeaders.some(({ name }) => /^location$/i.test(name))
  return leads && [301, 302, 303, 307, 308].includes(responseStatusCode)
}

/** Response headers. Chrome has already decompressed the body and stored the cookies. */
export function headersOf({ responseHeaders = [] }: Paused): [string, string][] {
  return responseHeaders.flatMap(({ name, value }) =>
    /^content-(?:encoding|length)$/i.test(name)
      ? []
      : value.split("\n").map((part): [string, string] => [name, part]),
  )
}
