import type { Cookie } from "puppeteer-core"
import type { RenderedResponse, Shots, UpstreamResponse } from "../../../../catalogue/kit/index.ts"
import type { LeasedTab } from "../../../fetch/environment.ts"
import { HttpResponse } from "../../http/response.ts"
import type { NetResponse } from "../net/net-request.ts"
import type { LeaseRequest, NetLeaseRequest } from "../pool/lease.ts"

/** Name of a visit's step. */
export type Step = keyof LeasedTab

export interface OpenRequest extends Omit<LeaseRequest, "signal" | "onScreenshot"> {
  screenshots: boolean
}

/**
 * Chrome as it is served to a worker. The worker numbers its leases, so that it can cancel one that
 * is not open yet.
 */
export interface BrowserPort {
  /** Makes a request without a page, and returns the cookies after it. */
  fetch(
    request: Omit<NetLeaseRequest, "signal">,
    signal: AbortSignal,
  ): Promise<{ response: NetResponse; cookies: Cookie[] }>
  open(lease: number, request: OpenRequest): Promise<void>
  /** @param onScreenshot Called with a screenshot of each page that is read. */
  step(
    lease: number,
    step: Step,
    args: unknown[],
    onScreenshot?: (png: Uint8Array) => void,
  ): Promise<unknown>
  close(lease: number): Promise<Cookie[]>
  /** Called when the run has ended: stops waiting for a tab, and closes open ones. */
  cancel(lease: number): Promise<void>
  release(owner: string): Promise<void>
}

/** A response in messages between threads. */
export interface ResponseMessage {
  response: true
  url: string
  requestedUrl: string
  status: number
  headers: [string, string][]
  redirects: UpstreamResponse["redirects"]
  timing: UpstreamResponse["timing"]
  bytes: Uint8Array
  captured?: ResponseMessage[]
  shots?: Shots
}

export function responseToMessage(
  response: UpstreamResponse & { captured?: UpstreamResponse[]; shots?: Shots },
): ResponseMessage {
  return {
    response: true,
    url: response.url,
    requestedUrl: response.requestedUrl,
    status: response.status,
    headers: [...response.headers],
    redirects: response.redirects,
    timing: response.timing,
    bytes: response.bytes,
    ...(response.captured ? { captured: response.captured.map(responseToMessage) } : {}),
    ...(response.shots ? { shots: response.shots } : {}),
  }
}

export function responseFromMessage(message: ResponseMessage): RenderedResponse {
  const response = new HttpResponse({
    ...message,
    headers: new Headers(message.headers),
    via: "browser",
  })
  const captured = (message.captured ?? []).map(responseFromMessage)
  return Object.assign(response, { captured, ...(message.shots ? { shots: message.shots } : {}) })
}

export function isResponseMessage(value: unknown): value is ResponseMessage {
  return typeof value === "object" && value !== null && "response" in value
}
