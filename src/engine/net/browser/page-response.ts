import type { HTTPResponse } from "puppeteer-core"
import {
  type RequestOptions,
  TooLarge,
  type UpstreamResponse,
} from "../../../catalogue/kit/index.ts"
import { challengeStatuses } from "../http/challenge/detect.ts"
import { HttpResponse } from "../http/response.ts"

export const maxPageBytes = 10 * 1024 * 1024

export interface ReadPage {
  /** The page's URL, which may differ from the requested one. */
  url: string
  requestedUrl: string
  /** What the page's own address answered; undefined where Chrome got none. */
  main: HTTPResponse | undefined
  /** The page in its present state, or the body of a response that is not a page. */
  bytes: Uint8Array
  milliseconds: number
}

/** A page that was read in Chrome, as an answer. @throws TooLarge */
export function pageResponse(page: ReadPage): HttpResponse {
  const { url, requestedUrl, main, bytes } = page
  if (bytes.length > maxPageBytes) {
    throw new TooLarge(`The page is larger than ${maxPageBytes} bytes.`, { url })
  }
  const headers = headersOf(main)
  if (main === undefined || isPage(main)) headers.set("content-type", "text/html; charset=utf-8")
  return new HttpResponse({
    url,
    requestedUrl,
    status: main?.status() ?? 200,
    headers,
    redirects: (main?.request().redirectChain() ?? []).map((hop) => ({
      url: hop.url(),
      status: hop.response()?.status() ?? 302,
      location: hop.response()?.headers().location ?? "",
    })),
    via: "browser",
    bytes,
    timing: { total: Math.round(page.milliseconds), firstByte: null },
  })
}

/** Returns whether a response is a page, which is read in its present state. */
export const isPage = (response: HTTPResponse) =>
  /html|xml/i.test(response.headers()["content-type"] ?? "text/html")

/** Returns whether a status is a final failure that the caller does not accept. */
export function isError(status = 200, { accept }: RequestOptions = {}): boolean {
  const isAccepted = accept === "any" || accept?.includes(status)
  return status >= 400 && !isAccepted && !challengeStatuses.has(status)
}

/** Whether Chrome shows an answer in its window. */
export const isVisibleAs = (response: HTTPResponse) =>
  /^(?:text\/|image\/|application\/(?:[\w.-]+\+)?(?:xml|json|javascript)\b|$)/i.test(
    response.headers()["content-type"] ?? "",
  )

/** Of an answer that Chrome does not show, it keeps no body. */
export async function bodyOf(response: HTTPResponse): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.buffer())
  } catch (error) {
    if (isVisibleAs(response)) throw error
    return new Uint8Array()
  }
}

export async function capturedResponse(
  response: HTTPResponse,
): Promise<UpstreamResponse | undefined> {
  try {
    const headers = headersOf(response)
    headers.delete("content-encoding")
    return new HttpResponse({
      url: response.url(),
      requestedUrl: response.request().url(),
      status: response.status(),
      headers,
      via: "browser",
      bytes: new Uint8Array(await response.buffer()),
    })
  } catch {
    // The body of a redirect or of a page that was left is not kept by Chrome.
    return undefined
  }
}

function headersOf(response: HTTPResponse | undefined): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(response?.headers() ?? {})) {
    if (name.startsWith(":")) continue
    for (const part of value.split("\n")) headers.append(name, part)
  }
  return headers
}
