import { requestJson } from "./request.ts"

export type Item = Record<string, unknown>
export type Input = Record<string, unknown>

export interface Free {
  limit: number
  used: number
  remaining: number
  resetsAt: string
}

export interface KeylessIssue {
  field: string
  index?: number
  message: string
}

export interface KeylessResponse {
  status: "SUCCEEDED" | "RUNNING" | "PAYMENT_REQUIRED" | "USAGE" | "INVALID_INPUT" | "ERROR"
  tool: string
  items: Item[]
  error?: string | { message: string; details?: unknown }
  notice?: string
  resultUrl?: string
  /** Path of the next page of items. */
  next?: string
  retryAfterSeconds?: number
  agentGuidance?: string
  /** Set for calls without a key. */
  free?: Free
}

/** A call and how it ended. */
export interface Outcome {
  response: KeylessResponse
  seconds: number
  /** ID of the account's run, for a call with an account. */
  runId?: string
}

/** Returns the query of an input, without fields that have their default value. */
export function queryOf(input: Input): URLSearchParams {
  const query = new URLSearchParams()
  const deep: Input = {}
  for (const [name, value] of Object.entries(input)) {
    const values = Array.isArray(value) ? value : [value]
    // A vertical bar in a value would separate it into two.
    const isPlain = values.every(
      (value) => typeof value !== "object" && !String(value).includes("|"),
    )
    if (!isPlain || values.length === 0) deep[name] = value
    else for (const value of values) query.append(name, String(value))
  }
  // A call without parameters returns the scraper's description instead of running it.
  if (query.size === 0 || Object.keys(deep).length > 0) query.set("input", JSON.stringify(deep))
  return query
}

/** Returns the path and query of the call that runs a scraper. */
export const callOf = (slug: string, input: Input) =>
  `/api/scrape/${slug}?${readable(queryOf(input))}`

/** Returns a query without unnecessary escapes. */
export const readable = (query: URLSearchParams) =>
  query
    .toString()
    .replaceAll("%3A", ":")
    .replaceAll("%2F", "/")
    .replaceAll("%40", "@")
    .replaceAll("%7C", "|")

/** Interval at which the result of a long call is requested. */
const pollMs = 2_000

/** Makes a call and waits for its end. @throws RequestError, AbortError */
export async function run(path: string, signal: AbortSignal): Promise<Outcome> {
  const started = performance.now()
  let response = await requestJson<KeylessResponse>(path, signal)
  while (response.status === "RUNNING" && response.resultUrl) {
    await pause(pollMs, signal)
    const token = response.resultUrl.split("/").at(-1)
    response = await requestJson<KeylessResponse>(`/api/results/${token}`, signal)
  }
  for (let page = response; page.next; response.items.push(...page.items)) {
    page = await requestJson<KeylessResponse>(`/api/results/${page.next.split("/").at(-1)}`, signal)
  }
  return { response, seconds: (performance.now() - started) / 1000 }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

/** Returns the rest of the daily free quota; this call is not counted. */
export async function freeQuota(signal: AbortSignal): Promise<Free | undefined> {
  return (await requestJson<KeylessResponse>("/api/scrape/url-to-markdown-scraper", signal)).free
}

export const isErrorItem = (
  item: Item,
): item is Item & { error: { code: string; message: string } } =>
  typeof item.error === "object" && item.error !== null && "code" in item.error

export function issuesOf({ error }: KeylessResponse): KeylessIssue[] {
  const details = typeof error === "object" ? error.details : undefined
  return Array.isArray(details) ? (details as KeylessIssue[]) : []
}

export const messageOf = ({ error }: KeylessResponse): string | undefined =>
  typeof error === "string" ? error : error?.message
