import { base } from "./shell.ts"
import type { CodeSample } from "./snippets.ts"

/** A failed request, with a message for the user. */
class RequestError extends Error {
  constructor(
    message: string,
    /** The status code of the response, if there was one. */
    readonly status?: number,
  ) {
    super(message)
  }
}

/** Whether the service answered that there is no such thing; else it may well be there. */
export const isMissing = (error: Error) => error instanceof RequestError && error.status === 404

/** Whether the service wants a sign-in, or the password of a link. */
export const isLocked = (error: Error) => error instanceof RequestError && error.status === 401

/** The JSON at a path of this service. @throws RequestError, AbortError */
export const requestJson = <T>(path: string, signal?: AbortSignal) =>
  responseOf<T>(path, signal ? { signal } : {})

/** What a question that needs a body answers; it changes nothing. @throws RequestError, AbortError */
export const post = <T>(path: string, body: unknown, signal?: AbortSignal) =>
  responseOf<T>(path, { ...withBody("POST", body), ...(signal && { signal }) })

const withBody = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
})

/** What a change answers. @throws RequestError */
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

/** The change that was made last, to be shown as a call. */
let last: CodeSample | undefined
export const lastChange = () => last
export const changeMade = "changemade"

/** A list of thousands of addresses would be of no use on the screen. */
const maxVisible = 20_000

/** Settings, channels and links hold values that are never shown again: passwords and tokens. */
const isSecret = ({ path }: CodeSample) =>
  /^\/api\/(?:admin\/v1\/settings|v1\/(?:notifications|destinations|sessions|live-logins))\b|\/links$/.test(
    path,
  )

function keepChange(call: CodeSample): void {
  // Of others the body is a password, and no key may make them.
  const isOfKeys = /^\/api\/(?:v1|admin)\//.test(call.path)
  if (!isOfKeys || isSecret(call) || JSON.stringify(call.body ?? {}).length > maxVisible) return
  last = call
  dispatchEvent(new Event(changeMade))
}

const signedOut =
  "You are no longer signed in. Sign in in another tab, then try again: what is typed here stays."

async function responseOf<T>(path: string, init: RequestInit): Promise<T> {
  const response = await fetch(base + path, {
    ...init,
    headers: { accept: "application/json", ...init.headers },
  }).catch((error) => {
    if (init.signal?.aborted) throw error
    throw new RequestError("The service did not answer. Is it running, and are you online?")
  })
  if (response.status === 204) return undefined as T
  // biome-ignore lint/suspicious/noExplicitAny: the caller says what it is
  const body: any = await response.json().catch(() => undefined)
  if (body === undefined) {
    throw new RequestError(`The answer was no JSON (status ${response.status}); try again.`)
  }
  // What the service says of it is for programs, which have keys.
  if (response.status === 401) throw new RequestError(signedOut, 401)
  // Keyless calls return their outcome in the body, with any status code.
  if (!response.ok && typeof body.status !== "string") {
    const wait = response.headers.get("retry-after")
    const hint = wait ? ` Try again in ${wait} seconds.` : ""
    const message = body.error?.message ?? `Status ${response.status}.`
    throw new RequestError(`${message}${hint}`, response.status)
  }
  return body
}
