import type { Cookie } from "puppeteer-core"
import { abortable } from "../../../../base/clock.ts"
import { Timeout } from "../../../../catalogue/kit/index.ts"
import type { OwnerContext } from "../chrome/instance.ts"
import type { LeaseEnd } from "../lease/lease-end.ts"
import type { NetRequest, NetResponse } from "../net/net-request.ts"
import type { Chromes } from "./chromes.ts"
import type { Contexts } from "./contexts.ts"
import type { NetLeaseRequest } from "./lease.ts"

/** Requests over Chrome's network stack, without a page. */
export class Exchanges {
  constructor(
    private readonly chromes: Chromes,
    private readonly contexts: Contexts,
  ) {}

  /** Makes a request, and returns the context's cookies after it. */
  async begin(
    lease: NetLeaseRequest,
    end: LeaseEnd,
  ): Promise<{ response: NetResponse; cookies: Cookie[] }> {
    const { request } = lease
    const { hostname } = new URL(request.url)
    const instance = await abortable(this.chromes.get(), end.signal)
    end.with(instance.gone)
    const late = `${hostname} did not respond within ${request.timeoutMs / 1000} s in Chrome.`
    end.after(request.timeoutMs, new Timeout(late, { url: request.url }))
    const release = this.chromes.hold(instance)
    try {
      const owner = await abortable(this.contexts.of(instance, lease), end.signal)
      owner.leases++
      try {
        await abortable(owner.cookies.set(lease.cookies), end.signal)
        const response = await carried(owner, request, end.signal)
        const cookies = await abortable(owner.cookies.beyond(lease.cookies), end.signal)
        return { response, cookies }
      } finally {
        owner.leases--
        owner.usedAt = Date.now()
      }
    } finally {
      release()
    }
  }
}

async function carried(
  { tabTransports }: OwnerContext,
  request: NetRequest,
  signal: AbortSignal,
): Promise<NetResponse> {
  const { origin } = new URL(request.url)
  if (request.as === "call") {
    const transport = await abortable(tabTransports.forCalls(origin), signal)
    return transport.call(request, signal)
  }
  return abortable(
    tabTransports.withDocument(origin, (transport) => transport.document(request, signal)),
    signal,
  )
}
