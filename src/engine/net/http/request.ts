import { BadInput, type RequestOptions } from "../../../catalogue/kit/index.ts"
import { type BrowserHeaders, browserHeaders, serviceHeaders } from "./identity.ts"

const formType = "application/x-www-form-urlencoded"

/** Returns the URL with its query. @throws BadInput for anything that is not an http or https URL */
export function urlOfRequest(href: string, query: RequestOptions["query"]): URL {
  let url: URL
  try {
    url = new URL(href)
  } catch {
    throw new BadInput(`"${href}" is not an http or https URL.`)
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new BadInput(`"${href}" is not an http or https URL.`)
  }
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue
    for (const item of Array.isArray(value) ? value : [value])
      url.searchParams.append(name, String(item))
  }
  return url
}

/** Returns the URL to request, without its fragment. @throws BadInput */
export function requestUrl(href: string, query: RequestOptions["query"]): string {
  const url = urlOfRequest(href, query)
  url.hash = ""
  return url.href
}

/** Returns the body to send. */
export function requestBody(options: RequestOptions): string | undefined {
  if (options.json !== undefined) return JSON.stringify(options.json)
  if (options.form !== undefined) return new URLSearchParams(options.form).toString()
  return options.body
}

/** Returns the content type of a body from `requestBody`; for text, the caller sets it. */
export function bodyType({ json, form }: RequestOptions): string | undefined {
  if (json !== undefined) return "application/json"
  return form === undefined ? undefined : formType
}

/** Returns all headers except cookies. */
export function requestHeaders(request: {
  url: string
  /** The URL that the caller requested, before any redirect. */
  firstUrl: string
  options: RequestOptions
  hasBody: boolean
  contact?: string
  chrome?: BrowserHeaders
}): Headers {
  const { url, firstUrl, options, hasBody, contact, chrome } = request
  const headers = new Headers(
    options.identity === "browser"
      ? browserHeaders({
          json: asksForJson(options),
          url,
          ...(contact === undefined ? {} : { contact }),
          ...(chrome ? { chrome } : {}),
        })
      : serviceHeaders(contact),
  )
  if (hasBody) headers.set("content-type", bodyType(options) ?? formType)
  const trusted = sameParty(url, firstUrl)
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    // Credentials are for the requested host, not for the target of its redirect.
    if (!trusted && personalHeader.test(name)) continue
    if (!hasBody && url !== firstUrl && /^content-type$/i.test(name)) continue
    headers.set(name, value)
  }
  return headers
}

function asksForJson({ json, headers = {} }: RequestOptions): boolean {
  if (json !== undefined) return true
  return Object.entries(headers).some(
    ([name, value]) => /^accept$/i.test(name) && /json/.test(value) && !/html/.test(value),
  )
}

/** Headers that identify the caller. */
export const personalHeader = /^(?:proxy-)?authorization$|^cookie$|api-?key|token|secret|session/i

/** Headers for a page, not for its subresources: they identify the caller, or request a change. */
export const pageHeader = new RegExp(
  `${personalHeader.source}|^if-(?:none-match|modified-since)$`,
  "i",
)

/** Whether two URLs have the same host, and the second is not less secure. */
function sameParty(url: string, firstUrl: string): boolean {
  if (url === firstUrl) return true
  const now = new URL(url)
  const first = new URL(firstUrl)
  return now.host === first.host && (now.protocol === "https:" || first.protocol === "http:")
}
