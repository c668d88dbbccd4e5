import { Type } from "@sinclair/typebox"
import { completeAddress } from "../../../extract/links/index.ts"
import {
  BadInput,
  challengeOf,
  inputs,
  isErrorPage,
  isHtml,
  type UpstreamResponse,
} from "../../kit/index.ts"

const maxHeaders = 20
const maxCookies = 50

/** How a caller has pages asked for. */
export const requestInputs = {
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 4000 }), {
      description:
        "Request headers, at most 20. Headers other than Accept, Accept-Language, Referer and User-Agent require an API key; credentials such as Authorization and Cookie go only to the page's own host, and not through Chrome.",
    }),
  ),
  country: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{2}$",
      description:
        "Country code to send requests from, for example de, if the operator's proxies allow it.",
    }),
  ),
  obeyRobots: inputs.flag("Read the page only if the site's robots.txt allows it."),
  errorPages: inputs.flag(
    "Return a page of status 400 or more as an item with its `statusCode`, instead of an error item.",
  ),
}

/** Whether an error page is one that the caller wants: a challenge is none. */
export const isWantedError = (
  response: UpstreamResponse,
  { errorPages }: { errorPages: boolean },
) => errorPages && isErrorPage(response) && challengeOf(response) === null

/** Whether an answer is the text of an error, and nothing that a page is made of. */
export const isPlainError = (response: UpstreamResponse) =>
  isErrorPage(response) && !isHtml(response)

/** What a bare error says, which may be nothing. */
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

/** What a connection says of itself, and what would break it. */
const ours =
  /^(?:host|connection|keep-alive|content-.*|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*|sec-.*)$/i

/** @throws BadInput naming the header */
export function checkHeaders({ headers = {} }: PageRequestOptions): void {
  const written = Object.entries(headers)
  if (written.length > maxHeaders) throw new BadInput(`headers: there may be ${maxHeaders}.`)
  for (const [name, value] of written) {
    const place = `headers.${name.slice(0, 60)}`
    if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name)) throw new BadInput(`${place}: no header's name.`)
    if (ours.test(name)) throw new BadInput(`${place}: this header is the connection's own.`)
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new BadInput(`${place}: its value has characters that no header can hold.`)
    }
  }
}

/** Throws BadInput with the name of a cookie that no header can contain. */
export function checkCookies({ cookies = {} }: PageRequestOptions): void {
  const all = Object.entries(cookies)
  if (all.length > maxCookies) {
    throw new BadInput(`cookies: at most ${maxCookies} are allowed, not ${all.length}.`)
  }
  for (const [name, value] of all) {
    const place = `cookies.${name.slice(0, 60)}`
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name)) {
      throw new BadInput(`${place}: a cookie's name has letters, digits and signs such as - and _.`)
    }
    if (!/^[\x20-\x3a\x3c-\x7e]*$/.test(value)) {
      throw new BadInput(`${place}: the value has characters that no cookie can contain.`)
    }
  }
}

/** What says nothing of who asks. */
const impersonal = /^(?:accept|accept-language|referer|user-agent)$/i

/** For ctx.page. */
export function headersOf({ headers }: PageRequestOptions) {
  if (!headers) return {}
  return { headers, personal: Object.keys(headers).some((name) => !impersonal.test(name)) }
}

/**
 * Returns the headers and cookies for a page that was found from `startUrl`, as options of `ctx.page`.
 * Another host gets none that identify the user.
 */
export function requestOf({ headers, cookies }: PageRequestOptions, url: string, startUrl: string) {
  if (hostOf(url) === hostOf(startUrl)) {
    const hasCookies = cookies !== undefined && Object.keys(cookies).length > 0
    return { ...headersOf({ headers }), ...(hasCookies && { cookies, forAccounts: "cookies" }) }
  }
  const open = Object.entries(headers ?? {}).filter(([name]) => impersonal.test(name))
  return open.length > 0 ? { headers: Object.fromEntries(open) } : {}
}

const hostOf = (url: string) => URL.parse(completeAddress(url) ?? url)?.host
