import { type FetchMethod, ScrapeError } from "../../../catalogue/kit/index.ts"
import type { Transport, WireRequest, WireResponse } from "../../net/http/exchange.ts"
import type { Recorder } from "./recorder.ts"

/** A transport that records every exchange. */
export class RecordingTransport implements Transport {
  constructor(
    private readonly inner: Transport,
    private readonly recorder: Recorder,
    private readonly via: FetchMethod,
  ) {}

  async send(request: WireRequest): Promise<WireResponse> {
    const { method, url, body } = request
    const exchange = this.recorder.begin(method, url, this.via, body)
    try {
      const response = await this.inner.send(request)
      await this.recorder.fill(exchange, response)
      return response
    } catch (error) {
      if (error instanceof ScrapeError) this.recorder.fail(exchange, error)
      throw error
    }
  }
}
