import { version } from "../../version.ts"

/** Who we say we are: the service with its contact, or one current desktop Chrome. */
export function serviceUserAgent(contact?: string): string {
  return `Trawl/${version} (+${contact ?? "self-hosted"})`
}

/** The headers of the service itself, for APIs and robots.txt. */
export function serviceHeaders(contact?: string): Record<string, string> {
  return { "user-agent": serviceUserAgent(contact), accept: "*/*" }
}

const chromeVersion = "156"

/** What every request of a Chrome says: user agent, client hints and languages of one piece. */
const chrome: Record<string, string> = {
  "user-agent": `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chromeVersion}.0.0.0 Safari/537.36`,
  "sec-ch-ua": `"Chromium";v="${chromeVersion}", "Google Chrome";v="${chromeVersion}", "Not_A Brand";v="99"`,
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Linux"',
  "accept-language": "en;q=0.9,*;q=0.5",
}

/** A page that is opened. */
const navigation: Record<string, string> = {
  ...chrome,
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "upgrade-insecure-requests": "1",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
  "sec-fetch-user": "?1",
}

/** A call that a page's script makes. */
const call: Record<string, string> = {
  ...chrome,
  accept: "*/*",
  "sec-fetch-dest": "empty",
  "sec-fetch-mode": "cors",
  "sec-fetch-site": "same-origin",
}

/**
 * The headers of Chrome: of a page, or of a script's call where JSON is sent or asked for. Without
 * encryption it says nothing of itself but its name.
 */
export function browserHeaders(request: { json: boolean; url: string }): Record<string, string> {
  const headers = request.json ? call : navigation
  if (request.url.startsWith("https:")) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.startsWith("sec-")))
}
