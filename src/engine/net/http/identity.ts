import { version } from "../../../version.ts"

/** Who we say we are: the service with its contact, or the Chrome that is installed here. */
export function serviceUserAgent(contact?: string): string {
  return `Trawl/${version} (+${contact ?? "self-hosted"})`
}

/** The headers of the service itself, for APIs and robots.txt. */
export function serviceHeaders(contact?: string): Record<string, string> {
  return { "user-agent": serviceUserAgent(contact), accept: "*/*" }
}

/** What a Chrome says of itself (engine/net/browser/identity.ts), names in lower case. */
export interface BrowserHeaders {
  /** A page that is opened. */
  navigation: Record<string, string>
  /** A call that a page's script makes. */
  call: Record<string, string>
}

/** How the request came about; the same in every browser. */
const navigationFetch: Record<string, string> = {
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
  "sec-fetch-user": "?1",
}
const callFetch: Record<string, string> = {
  "sec-fetch-dest": "empty",
  "sec-fetch-mode": "cors",
  "sec-fetch-site": "same-origin",
}

/**
 * The headers of a visitor: of a page, or of a script's call where JSON is sent or asked for. With a
 * Chrome here they are its own; without one we are no browser, and say so. Without encryption Chrome
 * says nothing of itself but its name.
 */
export function browserHeaders(request: {
  json: boolean
  url: string
  chrome?: BrowserHeaders
  contact?: string
}): Record<string, string> {
  const { json, url, chrome, contact } = request
  if (!chrome)
    return { ...serviceHeaders(contact), ...(json ? {} : { accept: plainAccept }), ...english }
  const headers = json
    ? { ...chrome.call, ...callFetch }
    : { ...chrome.navigation, ...navigationFetch }
  if (url.startsWith("https:")) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("sec-")))
}

const plainAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
const english = { "accept-language": "en-US,en;q=0.9" }
