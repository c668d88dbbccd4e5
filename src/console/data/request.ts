import { base } from "./shell.ts"
import type { CodeSample } from "./snippets.ts"

/** A failed request, with a message for the user. */
class RequestError extends Error {
  constructor(
    message: string,
    /** Status code of the response, if there was one. */
    readonly status?: number,
  ) {
    super(message)
  }
}

/**
 * Returns whether the service responded that the resource does not exist. After other errors it may
 * exist.
 */
export const isMissing = (error: Error) => error instanceof RequestError && error.status === 404

/** Returns whether the service requires a sign-in or the password of a link. */
export const isLocked = (error: Error) => error instanceof RequestError && error.status === 401

/** Returns the JSON at a path of this service. @throws RequestError, AbortError */
export const requestJson = <T>(path: string, signal?: AbortSignal) =>
  responseOf<T>(path, signal ? { signal } : {})

/**
 * Returns the response of a call with a body that changes nothing. @throws RequestError, AbortError
 */
export const post = <T>(path: string, body: unknown, signal?: AbortSignal) =>
  responseOf<T>(path, { ...withBody("POST", body), ...(signal && { signal }) })

const withBody = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
})

/** Makes a change and returns the response. @throws RequestError */
export async function sendChange<T>(path: string, body: unknown = {}, method = "POST"): Promise<T> {
  const reply = await responseOf<T>(path, withBody(method, body))
  keepChange({ path, method, body: body as Record<string, unknown>, needsKey: true })
  return reply
}

/** @throws RequestError */
export async function remove(path: string): Promise<void> {
  await responseOf<void>(path, { method: "DELETE" })
  keepChange({ path, method: "DELETE", needsKey: true })
}

/** The call of the last change, for display. */
let last: CodeSample | undefined
export const lastChange = () => last
export const changeMade = "changemade"

/** Maximum characters of a displayed call: a list of thousands of URLs is not readable. */
const maxVisible = 20_000

/** Settings, channels and links contain passwords and tokens that are displayed only once. */
const isSecret = ({ path }: CodeSample) =>
  /^\/api\/(?:admin\/v1\/settings|v1\/(?:notifications|destinations|sessions|live-logins))\b|\/links$/.test(
    path,
  )

function keepChange(call: CodeSample): void {
  // Other changes contain a password or cannot be made with a key.
  const isOfKeys = /^\/api\/(?:v1|admin)\//.test(call.path)
  if (!isOfKeys || isSecret(call) || JSON.stringify(call.body ?? {}).length > maxVisible) return
  last = call
  dispatchEvent(new Event(changeMade))
}

interface ErrorBody {
  message?: string
  details?: unknown
}

/** Maximum issues of a form in a message. */
const maxIssues = 5

/** Returns the service's message for a person: all issues of a form, with the names of its fields. */
function messageIn({ message, details }: ErrorBody = {}): string | undefined {
  const issues = Array.isArray(details) ? (details as ErrorBody[]) : []
  const messages = issues.flatMap((issue) => issue?.message ?? []).slice(0, maxIssues)
  const texts = messages.length > 0 ? messages : message === undefined ? [] : [message]
  return texts.length === 0 ? undefined : texts.map(inWords).join(" ")
}

/** Returns an issue that starts with a field as a sentence: `"to[0]" must …` is “To, entry 1” must …. */
const inWords = (issue: string) =>
  issue
    .replace(/^The (?:body|query|input) is not valid: /, "")
    .replace(
      /^"([A-Za-z]+)(?:\[(\d+)\])?" (?=must|is required)/,
      (_, name: string, index?: string) => {
        const words = name
          .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
          .replace(/\burls?\b/, (url) => url.replace("url", "URL"))
        const entry = index === undefined ? "" : `, entry ${Number(index) + 1},`
        return `“${words[0]!.toUpperCase()}${words.slice(1)}”${entry} `
      },
    )

const signedOut =
  "You are no longer signed in. Sign in in another tab, then try again: your text here stays."

async function responseOf<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(base + path, {
    ...init,
    headers: { accept: "application/json", ...init.headers },
  }).catch((error) => {
    if (init.signal?.aborted) throw error
    throw new RequestError(
      "The service did not respond. Check that it is running and that you are online.",
    )
  })
  if (response.status === 204) return undefined as T
  // biome-ignore lint/suspicious/noExplicitAny: the caller says what it is
  const body: any = await response.json().catch(() => undefined)
  if (body === undefined) {
    throw new RequestError(`The response is not JSON (status ${response.status}); try again.`)
  }
  // The service's own message addresses programs with keys.
  if (response.status === 401) throw new RequestError(signedOut, 401)
  // Calls without a key return their outcome in the body, with any status code.
  if (!response.ok && typeof body.status !== "string") {
    const wait = response.headers.get("retry-after")
    const hint = wait ? ` Try again in ${wait} seconds.` : ""
    const message = messageIn(body.error) ?? `The service returned status ${response.status}.`
    throw new RequestError(`${message}${hint}`, response.status)
  }
  return body
}
