import { JobHooks } from "../../../src/api/compat/firecrawl/job-hooks.ts"
import type { WireRequest } from "../../../src/engine/net/http/exchange.ts"
import { WebhookSender } from "../../../src/engine/ops/notifications/sender.ts"
import type { DropIn } from "./compat.ts"

const never = new AbortController().signal

/** Receives webhooks: the service's own sender, and a receiver that stores the events. */
export class Receiver {
  status = 200
  /** Milliseconds by which the sender's clock is ahead. */
  later = 0

  constructor(private readonly here: DropIn) {}

  /** Queues and sends all events that are due. Returns the received ones. */
  async reported(): Promise<WireRequest[]> {
    const came: WireRequest[] = []
    const { service, store } = this.here.app
    const hooks = new JobHooks(service)
    const sender = new WebhookSender({
      store,
      dispatcher: this.here.app.dispatcherWith({
        send: async (request) => {
          came.push(request)
          const headers = new Headers()
          return {
            status: this.status,
            headers,
            bytes: new Uint8Array(),
            via: "http",
            firstByte: null,
          }
        },
      }),
      now: () => new Date(Date.now() + this.later),
      onError: (message) => {
        throw new Error(message)
      },
    })
    for (let again = true; again; ) {
      again = await hooks.poll(never)
      again = (await sender.sendDue()) > 0 || again
    }
    return came
  }
}
