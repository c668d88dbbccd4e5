import { decodeError } from "../../../base/error-crossing.ts"
import { type FetchMethod, TooLarge, Unreachable } from "../../../catalogue/kit/index.ts"
import type { Transport, WireRequest, WireResponse } from "../../net/http/exchange.ts"
import { exchangeBody, exchangeHeaders, type ReplayCase } from "./case.ts"
import { Recordings, type Wanted } from "./matching.ts"

/** Returns upstream responses from a recorded case, never from the network. */
export class ReplayTransport implements Transport {
  readonly recordings: Recordings
  constructor(
    private readonly recorded: ReplayCase,
    private readonly via: FetchMethod = "http",
    recordings?: Recordings,
  ) {
    this.recordings = recordings ?? new Recordings(recorded.exchanges)
  }

  async send(request: WireRequest): Promise<WireResponse> {
    const wanted: Wanted = {
      method: request.method,
      url: request.url,
      via: this.via,
      ...(request.body === undefined ? {} : { body: request.body }),
    }
    const exchange = this.recordings.find(wanted)
    if (!exchange) {
      if (new URL(request.url).pathname === "/robots.txt") {
        return {
          status: 404,
          headers: new Headers(),
          bytes: new Uint8Array(),
          via: "http",
          firstByte: null,
        }
      }
      throw new Unreachable(
        `No recording for ${wanted.method} ${wanted.url}; the nearest recording is ${this.recordings.nearest(wanted)}.`,
        "connection",
        { url: request.url },
      )
    }
    if (exchange.failure) throw decodeError(exchange.failure)
    const whole = exchangeBody(this.recorded.folder, exchange)
    const bytes = request.truncate ? whole.subarray(0, request.maxBytes) : whole
    if (bytes.length > request.maxBytes) {
      throw new TooLarge(`The response is larger than ${request.maxBytes} bytes.`, {
        url: request.url,
      })
    }
    return {
      status: exchange.status,
      headers: exchangeHeaders(exchange),
      bytes,
      via: this.via,
      firstByte: null,
      ...(exchange.ip === undefined ? {} : { ip: exchange.ip }),
    }
  }
}
