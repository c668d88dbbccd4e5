import type { Cookie } from "puppeteer-core"
import type { Answer } from "../../catalogue/kit/index.ts"
import { HttpAnswer } from "../http/answer.ts"
import {
  type OutcomeMessage,
  outcomeFromMessage,
  outcomeToMessage,
} from "../workers/outcome-message.ts"

/**
 * What a run's thread asks of the browser thread. `id` pairs a question with its reply; the asker
 * numbers its leases, so that one can be cancelled that is not open yet.
 */
export type BrowserRequest =
  | {
      id: number
      ask: "open"
      lease: number
      owner: string
      unlocker: boolean
      cookies: Cookie[]
      deadlineMs: number
      screenshots: boolean
    }
  | { id: number; ask: "step"; lease: number; step: string; args: unknown[] }
  | { id: number; ask: "close"; lease: number }
  /** Its run is over: it waits for no tab any more, and what it has is closed. */
  | { id: number; ask: "cancel"; lease: number }
  | { id: number; ask: "release"; owner: string }

export type BrowserReply =
  | { id: number; value: unknown }
  | { id: number; failure: OutcomeMessage }
  | { screenshot: Uint8Array; lease: number }

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
}

export function answerToMessage(answer: Answer & { captured?: Answer[] }): AnswerMessage {
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
  }
}

export function answerFromMessage(message: AnswerMessage): Answer & { captured: Answer[] } {
  const answer = new HttpAnswer({
    ...message,
    headers: new Headers(message.headers),
    via: "browser",
  })
  return Object.assign(answer, { captured: (message.captured ?? []).map(answerFromMessage) })
}

export function isAnswerMessage(value: unknown): value is AnswerMessage {
  return typeof value === "object" && value !== null && "answer" in value
}

export { outcomeFromMessage, outcomeToMessage }
