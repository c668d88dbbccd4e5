import { type Access, Outcome } from "../../catalogue/kit/index.ts"
import type { Transport, WireAnswer, WireRequest } from "../http/exchange.ts"
import type { Recorder } from "./recorder.ts"

/** A way to upstreams, with every exchange written down. */
export class RecordingTransport implements Transport {
  constructor(
    private readonly inner: Transport,
    private readonly recorder: Recorder,
    private readonly via: Access,
  ) {}

  async send(request: WireRequest): Promise<WireAnswer> {
    const { method, url, body } = request
    const exchange = this.recorder.begin(method, url, this.via, body)
    try {
      const answer = await this.inner.send(request)
      await this.recorder.fill(exchange, answer)
      return answer
    } catch (error) {
      if (error instanceof Outcome) this.recorder.fail(exchange, error)
      throw error
    }
  }
}
