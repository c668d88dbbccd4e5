import type { Page } from "puppeteer-core"
import {
  type RequestOptions,
  TooLarge,
  Unreachable,
  type UpstreamResponse,
} from "../../../../catalogue/kit/index.ts"
import { bodyType, requestBody, urlOfRequest } from "../../http/request.ts"
import { HttpResponse } from "../../http/response.ts"
import { maxPageBytes } from "./page-response.ts"
import { fetchScript } from "./page-scripts.ts"

/**
 * Makes a request from the page, with its cookies and origin.
 * @throws Unreachable, TooLarge, and what `race` rejects with
 */
export async function fetchInPage(
  page: Page,
  url: string,
  options: RequestOptions & { method?: string },
  race: <T>(work: Promise<T>) => Promise<T>,
): Promise<UpstreamResponse> {
  const address = urlOfRequest(new URL(url, page.url()).href, options.query).href
  const body = requestBody(options)
  const type = bodyType(options)
  const script = fetchScript({
    url: address,
    method: options.method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...(type ? { "content-type": type } : {}), ...options.headers },
    ...(body === undefined ? {} : { body }),
    maxBytes: options.maxBytes ?? maxPageBytes,
  })
  const result = (await race(
    page.evaluate(script).catch((error) => {
      const message = `The page could not fetch ${address}: ${String(error)}`
      throw new Unreachable(message, "connection", { url: address })
    }),
  )) as {
    tooLarge?: true
    url: string
    status: number
    headers: [string, string][]
    body: string
  }
  if (result.tooLarge) throw new TooLarge("The response is too large.", { url: address })
  return new HttpResponse({
    url: result.url,
    requestedUrl: address,
    status: result.status,
    headers: new Headers(result.headers),
    via: "browser",
    bytes: Uint8Array.from(Buffer.from(result.body, "base64")),
  })
}
