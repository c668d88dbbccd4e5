import { version } from "../../../config/version.ts"

/** Returns the service's user agent with the operator's contact. */
export function serviceUserAgent(contact?: string): string {
  return `Trawl/${version} (+${contact ?? "self-hosted"})`
}

/** The headers of the service itself, for APIs and robots.txt. */
export function serviceHeaders(contact?: string): Record<string, string> {
  return { "user-agent": serviceUserAgent(contact), accept: "*/*" }
}

/** Identity headers of a Chrome (engine/net/browser/chrome/identity.ts), with lower-case names. */
export interface BrowserHeaders {
  /** Headers of a navigation. */
  navigation: Record<string, string>
  /** Headers of a script's request. */
  call: Record<string, string>
}

/** Fetch metadata of a navigation, the same in every browser. */
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
 * Browser-like headers: of a navigation, or of a script's request if JSON is sent or requested.
 * With a Chrome, they are its own; without one, the service identifies itself. Over plain HTTP,
 * Chrome sends only its user agent.
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
