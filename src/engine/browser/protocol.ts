import type { Cookie } from "puppeteer-core"
import type { Answer, RenderedAnswer, Shots } from "../../catalogue/kit/index.ts"
import type { LeasedTab } from "../environment/environment.ts"
import { HttpAnswer } from "../http/answer.ts"
import type { NetAnswer } from "./net/net-request.ts"
import type { LeaseRequest, NetLeaseRequest } from "./pool/lease.ts"

/** A step of a visit, by its name. */
export type Step = keyof LeasedTab

export interface OpenRequest extends Omit<LeaseRequest, "signal" | "onScreenshot"> {
  screenshots: boolean
}

/**
 * Chrome as it is served to a worker. The worker numbers its leases, so that one can be cancelled
 * that is not open yet.
 */
export interface BrowserPort {
  /** One exchange without a page, and the cookies after it. */
  fetch(
    request: Omit<NetLeaseRequest, "signal">,
    signal: AbortSignal,
  ): Promise<{ answer: NetAnswer; cookies: Cookie[] }>
  open(lease: number, request: OpenRequest): Promise<void>
  /** @param onScreenshot Called with a picture of each page that is read. */
  step(
    lease: number,
    step: Step,
    args: unknown[],
    onScreenshot?: (png: Uint8Array) => void,
  ): Promise<unknown>
  close(lease: number): Promise<Cookie[]>
  /** Its run is over: it waits for no tab any more, and what it has is closed. */
  cancel(lease: number): Promise<void>
  release(owner: string): Promise<void>
}

/** An answer as it is posted between threads. */
export interface AnswerMessage {
  answer: true
  url: string
  requestedUrl: string
  status: number
  headers: [string, string][]
  redirects: Answer["redirects"]
  timing: Answer["timing"]
  bytes: Uint8Array
  captured?: AnswerMessage[]
  shots?: Shots
}

export function answerToMessage(
  answer: Answer & { captured?: Answer[]; shots?: Shots },
): AnswerMessage {
  return {
    answer: true,
    url: answer.url,
    requestedUrl: answer.requestedUrl,
    status: answer.status,
    headers: [...answer.headers],
    redirects: answer.redirects,
    timing: answer.timing,
    bytes: answer.bytes,
    ...(answer.captured ? { captured: answer.captured.map(answerToMessage) } : {}),
    ...(answer.shots ? { shots: answer.shots } : {}),
  }
}

export function answerFromMessage(message: AnswerMessage): RenderedAnswer {
  const answer = new HttpAnswer({
    ...message,
    headers: new Headers(message.headers),
    via: "browser",
  })
  const captured = (message.captured ?? []).map(answerFromMessage)
  return Object.assign(answer, { captured, ...(message.shots ? { shots: message.shots } : {}) })
}

export function isAnswerMessage(value: unknown): value is AnswerMessage {
  return typeof value === "object" && value !== null && "answer" in value
}
