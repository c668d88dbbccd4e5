import type { HTTPResponse } from "puppeteer-core"
import {
  type RequestOptions,
  TooLarge,
  type UpstreamResponse,
} from "../../../../catalogue/kit/index.ts"
import { challengeStatuses } from "../../http/challenge/detect.ts"
import { HttpResponse } from "../../http/response.ts"

export const maxPageBytes = 10 * 1024 * 1024

export interface ReadPage {
  /** The page's URL, which may differ from the requested one. */
  url: string
  requestedUrl: string
  /** Chrome's response for the page's own URL; undefined if there was none. */
  main: HTTPResponse | undefined
  /** The page in its current state, or the body of a response that is not a page. */
  bytes: Uint8Array
  milliseconds: number
}

/** Converts a page read in Chrome into a response. @throws TooLarge */
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

/** Returns whether a response is a page, which is read in its current state. */
export const isPage = (response: HTTPResponse) =>
  /html|xml/i.test(response.headers()["content-type"] ?? "text/html")

/** Returns whether a status is a final failure that the caller does not accept. */
export function isError(status = 200, { accept }: RequestOptions = {}): boolean {
  const isAccepted = accept === "any" || accept?.includes(status)
  return status >= 400 && !isAccepted && !challengeStatuses.has(status)
}

/** Whether Chrome displays a response in its window. */
export const isVisibleAs = (response: HTTPResponse) =>
  /^(?:text\/|image\/|application\/(?:[\w.-]+\+)?(?:xml|json|javascript)\b|$)/i.test(
    response.headers()["content-type"] ?? "",
  )

/** Chrome keeps no body of a response that it does not display. */
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
    // Chrome does not keep the body of a redirect, or of a page that was left.
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
