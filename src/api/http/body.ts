import type { Static, TObject } from "@sinclair/typebox"
import { messageOf } from "../../base/error-message.ts"
import {
  checkInput,
  type InputFault,
  inputFromQuery,
  parseJson as readJsonText,
} from "../../catalogue/kit/index.ts"
import { ApiError, invalid } from "./errors.ts"

/** The largest body that is read. */
const bodyLimit = 1_048_576

/** Milliseconds in which a body must be there: a slow one holds a connection. */
const bodyMs = 20_000

/** A call's body as text. @throws ApiError 408, 413 */
export async function readText(request: Request, withinMs = bodyMs): Promise<string> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(tooSlow(withinMs)), withinMs)
  try {
    return await Promise.race([readAll(request), late.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function readAll(request: Request): Promise<string> {
  const stated = request.headers.get("content-length")
  if (stated !== null) {
    if (Number(stated) > bodyLimit) throw tooLarge()
    return request.text()
  }
  if (!request.body) return ""
  const decoder = new TextDecoder()
  let text = ""
  let size = 0
  for await (const chunk of request.body as ReadableStream<Uint8Array>) {
    size += chunk.byteLength
    if (size > bodyLimit) throw tooLarge()
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function tooSlow(withinMs: number): ApiError {
  return new ApiError(408, `The body did not come within ${withinMs / 1000} s.`, undefined, {
    connection: "close",
  })
}

function tooLarge(): ApiError {
  return new ApiError(413, `The body is larger than ${bodyLimit} bytes.`, undefined, {
    // What is left of the body is not read.
    connection: "close",
  })
}

/** @throws ApiError 415 unless the body is stated to be of this type. */
export function requireType(request: Request, type: string): void {
  const stated = request.headers.get("content-type")
  const given = stated?.replace(/;.*/, "").trim().toLowerCase()
  if (given === type) return
  throw new ApiError(
    415,
    `The body must be ${type}${given ? `, not ${given}` : "; set the Content-Type header"}.`,
  )
}

/** @throws ApiError 400 when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return readJsonText(text)
  } catch (error) {
    const why = messageOf(error)
    throw new ApiError(400, `The body is not valid JSON: ${why}`, [
      { field: "", message: why, expected: "a JSON object" },
    ])
  }
}

/** @throws ApiError 413, 415, 400 */
export async function readJson(request: Request): Promise<unknown> {
  requireType(request, "application/json")
  return parseJson(await readText(request))
}

/** A value that fits a schema, with its defaults. @throws ApiError 400 */
export function checked<S extends TObject>(schema: S, raw: unknown, what = "body"): Static<S> {
  const result = checkInput(schema, raw)
  if (!result.ok) throw invalid(result.faults, what)
  return result.input as Static<S>
}

/** A JSON body that fits a schema. @throws ApiError 413, 415, 400 */
export async function readBody<S extends TObject>(request: Request, schema: S): Promise<Static<S>> {
  return (await readBodyAndText(request, schema)).body
}

/** The same with its text, by which a repeated call is known. @throws ApiError 413, 415, 400 */
export async function readBodyAndText<S extends TObject>(
  request: Request,
  schema: S,
): Promise<{ body: Static<S>; text: string }> {
  requireType(request, "application/json")
  const text = await readText(request)
  return { body: checked(schema, parseJson(text)), text }
}

/** Query parameters that fit a schema. @throws ApiError 400 */
export function readQuery<S extends TObject>(request: Request, schema: S): Static<S> {
  const start = request.url.indexOf("?")
  const query = new URLSearchParams(start < 0 ? "" : request.url.slice(start + 1))
  const input: Record<string, unknown> = inputFromQuery(schema, withoutInput(query))
  if (query.has("input")) input.input = query.get("input")
  return checked(schema, input, "query")
}

/** `input` is JSON on the keyless surface alone; here it is a parameter like any other. */
function withoutInput(query: URLSearchParams): URLSearchParams {
  if (!query.has("input")) return query
  const rest = new URLSearchParams(query)
  rest.delete("input")
  return rest
}

export function fault(field: string, message: string, expected: string): InputFault {
  return { field, message, expected }
}
