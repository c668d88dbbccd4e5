import type { Static, TObject } from "@sinclair/typebox"
import { messageOf } from "../../base/error-message.ts"
import {
  checkInput,
  type InputIssue,
  parseJson as readJsonText,
} from "../../catalogue/kit/index.ts"
import { ApiError, InvalidPart, invalid } from "./errors.ts"
import { encodingOf, unpackedBody } from "./packed-body.ts"

/** Maximum bytes of a body. */
const bodyLimit = 1_048_576

/** Maximum milliseconds until a body is complete, because a slow one occupies a connection. */
const bodyMs = 20_000

/** Returns the body as text. @throws ApiError 408, 413 */
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
    if ((error as Error).name === "AbortError")
      throw new ApiError(400, "The body ended early. Send the whole body again.")
    throw error
  } finally {
    clearTimeout(timer)
  }
}

async function readAll(request: Request): Promise<string> {
  const packing = encodingOf(request)
  const lengthHeader = request.headers.get("content-length")
  if (lengthHeader !== null && Number(lengthHeader) > bodyLimit) throw tooLarge()
  if (packing) return unpackedBody(await bytesOf(request, bodyLimit), packing, bodyLimit)
  if (lengthHeader !== null) return request.text()
  return new TextDecoder().decode(await bytesOf(request, bodyLimit))
}

/** Returns the body as bytes, with a higher limit. @throws ApiError 408, 413 */
export function readBytes(
  request: Request,
  { max: maximum, withinMs }: { max: number; withinMs: number },
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(request.headers.get("content-length")) > maximum) throw tooLarge(maximum)
  return inTime(bytesOf(request, maximum), withinMs)
}

async function bytesOf(request: Request, max: number): Promise<Uint8Array<ArrayBuffer>> {
  if (!request.body) return new Uint8Array()
  const chunks: Uint8Array[] = []
  const reader = request.body.getReader()
  for (let size = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return Buffer.concat(chunks)
    size += value.byteLength
    if (size > max) {
      // The rest is discarded (unread-body.ts).
      reader.releaseLock()
      throw tooLarge(max)
    }
    chunks.push(value)
  }
}

function tooSlow(withinMs: number): ApiError {
  return new ApiError(
    408,
    `The body did not arrive within ${withinMs / 1000} s. Send it faster, or send less.`,
    undefined,
    {
      connection: "close",
    },
  )
}

function tooLarge(max = bodyLimit): ApiError {
  return new ApiError(413, `The body is larger than ${max} bytes. Send less, or divide it.`)
}

/** Checks the media type of the body. @throws ApiError 415 */
export function requireType(request: Request, type: string): void {
  const typeHeader = request.headers.get("content-type")
  const provided = typeHeader?.replace(/;.*/, "").trim().toLowerCase()
  if (provided === type) return
  throw new ApiError(
    415,
    `The body must be ${type}${provided ? `, not ${provided}` : "; set the Content-Type header"}.`,
  )
}

/** Parses JSON. @throws ApiError 400 */
export function parseJson(text: string): unknown {
  try {
    return readJsonText(text)
  } catch (error) {
    const why = messageOf(error)
    throw new InvalidPart("body", `The body is not valid JSON: ${why}.`, [
      { field: "", message: why, expected: "a JSON object" },
    ])
  }
}

/** Parses JSON that a field of the request contains as a text. @throws ApiError 400 */
export function parseJsonField(field: string, text: string, part = "body"): unknown {
  try {
    return readJsonText(text)
  } catch (error) {
    const message = `"${field}" is not valid JSON: ${messageOf(error)}.`
    throw invalid([issue(field, message, "JSON")], part)
  }
}

/** A call's body as text, by which a repeated call is recognised, and its parsed value. */
interface Sent {
  text: string
  body: unknown
}
const sent = new WeakMap<Request, Sent>()

/** Returns the parsed body; undefined if none was read, or if it was not JSON. */
export function sentWith(request: Request): Sent | undefined {
  return sent.get(request)
}

/** Stores a body that is not JSON, to recognise a repeated call. */
export function keepSent(request: Request, text: string): void {
  sent.set(request, { text, body: undefined })
}

/** Reads a JSON body and validates it with `make`. @throws ApiError 413, 415, 400 */
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

/** Validates a value and adds its defaults. @throws ApiError 400 */
export function checked<S extends TObject>(schema: S, raw: unknown, what = "body"): Static<S> {
  const result = checkInput(schema, raw)
  if (!result.ok) throw invalid(result.issues, what)
  return result.input as Static<S>
}

export function issue(field: string, message: string, expected: string): InputIssue {
  return { field, message, expected }
}
