import type { Static, TObject } from "@sinclair/typebox"
import { messageOf } from "../../base/error-message.ts"
import {
  checkInput,
  type InputIssue,
  parseJson as readJsonText,
} from "../../catalogue/kit/index.ts"
import { packingOf, unpackedBody } from "./coding/packed-body.ts"
import { ApiError, InvalidPart, invalid } from "./errors.ts"

/** The largest body that is read. */
const bodyLimit = 1_048_576

/** Milliseconds in which a body must be there: a slow one holds a connection. */
const bodyMs = 20_000

/** A call's body as text. @throws ApiError 408, 413 */
export function readText(request: Request, withinMs = bodyMs): Promise<string> {
  return inTime(readAll(request), withinMs)
}

async function inTime<Body>(body: Promise<Body>, withinMs: number): Promise<Body> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooSlow(withinMs)), withinMs)
  try {
    return await Promise.race([body, late.promise])
  } catch (error) {
    // The client has closed the connection: not an error of the service.
    if ((error as Error).name === "AbortError") throw new ApiError(400, "The body broke off.")
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function readAll(request: Request): Promise<string> {
  const packing = packingOf(request)
  const stated = request.headers.get("content-length")
  if (stated !== null && Number(stated) > bodyLimit) throw tooLarge()
  if (packing) return unpackedBody(await bytesOf(request, bodyLimit), packing, bodyLimit)
  if (stated !== null) return request.text()
  return new TextDecoder().decode(await bytesOf(request, bodyLimit))
}

/** A call's body as it came, which is larger than most. @throws ApiError 408, 413 */
export function readBytes(
  request: Request,
  { most, withinMs }: { most: number; withinMs: number },
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length")) > most) throw tooLarge(most)
  return inTime(bytesOf(request, most), withinMs)
}

async function bytesOf(request: Request, most: number): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  const reader = request.body.getReader()
  for (let size = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    size += value.byteLength
    if (size > most) {
      // What is left is passed over (unread-body.ts).
      reader.releaseLock()
      throw tooLarge(most)
    }
    chunks.push(value)
  }
}

function tooSlow(withinMs: number): ApiError {
  return new ApiError(408, `The body did not come within ${withinMs / 1000} s.`, undefined, {
    connection: "close",
  })
}

function tooLarge(most = bodyLimit): ApiError {
  return new ApiError(413, `The body is larger than ${most} bytes.`)
}

/** @throws ApiError 415 unless the body is stated to be of this type. */
export function requireType(request: Request, type: string): void {
  const stated = request.headers.get("content-type")
  const provided = stated?.replace(/;.*/, "").trim().toLowerCase()
  if (provided === type) return
  throw new ApiError(
    415,
    `The body must be ${type}${provided ? `, not ${provided}` : "; set the Content-Type header"}.`,
  )
}

/** @throws ApiError 400 when the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return readJsonText(text)
  } catch (error) {
    const why = messageOf(error)
    throw new InvalidPart("body", `The body is not valid JSON: ${why}`, [
      { field: "", message: why, expected: "a JSON object" },
    ])
  }
}

/** What a call sent: its text, by which a repeated call is known, and what was made of it. */
interface Sent {
  text: string
  body: unknown
}
const sent = new WeakMap<Request, Sent>()

/** Returns the body that was read before; undefined if none was, or if it is not JSON. */
export function sentWith(request: Request): Sent | undefined {
  return sent.get(request)
}

/** Notes the body of another kind, by which a repeated call is known. */
export function keepSent(request: Request, text: string): void {
  sent.set(request, { text, body: undefined })
}

/** A JSON body, as `make` gives it on to be judged. @throws ApiError 413, 415, 400 */
export async function readJson(
  request: Request,
  make: (json: unknown) => unknown = (json) => json,
): Promise<unknown> {
  requireType(request, "application/json")
  const text = await readText(request)
  const body = make(parseJson(text))
  sent.set(request, { text, body })
  return body
}

/** A value that fits a schema, with its defaults. @throws ApiError 400 */
export function checked<S extends TObject>(schema: S, raw: unknown, what = "body"): Static<S> {
  const result = checkInput(schema, raw)
  if (!result.ok) throw invalid(result.issues, what)
  return result.input as Static<S>
}

export function issue(field: string, message: string, expected: string): InputIssue {
  return { field, message, expected }
}
