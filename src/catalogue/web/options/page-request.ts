import { Type } from "@sinclair/typebox"
import { completeUrl } from "../../../extract/links/index.ts"
import {
  BadInput,
  inputs,
  isErrorPage,
  type PageOptions,
  type UpstreamResponse,
} from "../../kit/index.ts"
import { challengeOf, isHtml } from "../page/readable.ts"

const maxHeaders = 20
const maxCookies = 50

export const inputFields = {
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4000 }), {
      description:
        "Request headers, at most 20. Headers other than Accept, Accept-Language, Referer and User-Agent require an API key; credentials such as Authorization and Cookie go only to the page's own host, and not through Chrome.",
    }),
  ),
  country: inputs.optionalText(
    "Country code of the proxy that sends the requests, for example de, if the operator's proxies support it.",
    { pattern: "^[A-Za-z]{2}$" },
  ),
  obeyRobots: inputs.flag("Read the page only if the site's robots.txt allows it."),
  errorPages: inputs.flag(
    "Return a page of status 400 or more as an item with its `statusCode`, instead of an error item.",
  ),
}

/** Returns whether an error page is a result that the caller requested. A challenge is not. */
export const isWantedError = (
  response: UpstreamResponse,
  { errorPages }: Pick<PageOptions, "errorPages">,
) => errorPages === true && isErrorPage(response) && challengeOf(response) === null

/** Returns whether a response is the plain text of an error, not an HTML page. */
export const isPlainError = (response: UpstreamResponse) =>
  isErrorPage(response) && !isHtml(response)

/** Returns the text of a plain error; "" if it has none. */
export const errorText = (response: UpstreamResponse) =>
  /^text\/|[/+](?:json|xml)$/.test(response.contentType) ? response.text() : ""

export const cookiesInput = Type.Optional(
  Type.Record(Type.String(), Type.String({ maxLength: 4000 }), {
    description:
      'Cookies by name, at most 50, for example {"session": "abc"}. They go only to the page\'s own host, and require an API key.',
  }),
)

export interface PageRequestOptions {
  headers?: Record<string, string> | undefined
  cookies?: Record<string, string> | undefined
}

/** Matches headers that the connection sets itself, or that would break it. */
const ours =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*|sec-.*)$/i

/** Throws BadInput if a header is not allowed. The message names the header. */
export function checkHeaders({ headers = {} }: PageRequestOptions): void {
  const written = Object.entries(headers)
  if (written.length > maxHeaders) throw new BadInput(`headers: use at most ${maxHeaders}.`)
  for (const [name, value] of written) {
    const place = `headers.${name.slice(0, 60)}`
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name))
      throw new BadInput(
        `${place}: this is not a valid header name. Use letters, digits and hyphens.`,
      )
    if (ours.test(name))
      throw new BadInput(`${place}: this header is set by the connection. Remove it.`)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new BadInput(`${place}: the value has characters that are not allowed in a header.`)
    }
  }
}

/** Throws BadInput if a cookie is not valid. The message names the cookie. */
export function checkCookies({ cookies = {} }: PageRequestOptions): void {
  const all = Object.entries(cookies)
  if (all.length > maxCookies) {
    throw new BadInput(`cookies: at most ${maxCookies} are allowed, not ${all.length}.`)
  }
  for (const [name, value] of all) {
    const place = `cookies.${name.slice(0, 60)}`
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name)) {
      throw new BadInput(
        `${place}: the name of a cookie must consist of letters, digits and signs such as - and _.`,
      )
    }
    if (!/^[\x20-\x3a\x3c-\x7e]*$/.test(value)) {
      throw new BadInput(`${place}: the value has characters that are not allowed in a cookie.`)
    }
  }
}

/** Matches headers that do not identify the user. */
const impersonal = /^(?:accept|accept-language|referer|user-agent)$/i

export function headersOf({ headers }: PageRequestOptions) {
  if (!headers) return {}
  return { headers, personal: Object.keys(headers).some((name) => !impersonal.test(name)) }
}

/**
 * Returns the headers and cookies for a page that was found from `startUrl`, as options of
 * `ctx.page`. For another host, they contain none that identify the user.
 */
export function optionsOf({ headers, cookies }: PageRequestOptions, url: string, startUrl: string) {
  if (hostOf(url) === hostOf(startUrl)) {
    const hasCookies = cookies !== undefined && Object.keys(cookies).length > 0
    return { ...headersOf({ headers }), ...(hasCookies && { cookies, forAccounts: "cookies" }) }
  }
  const open = Object.entries(headers ?? {}).filter(([name]) => impersonal.test(name))
  return open.length > 0 ? { headers: Object.fromEntries(open) } : {}
}

const hostOf = (url: string) => URL.parse(completeUrl(url) ?? url)?.host
