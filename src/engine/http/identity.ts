/** Who we say we are. The version and contact of the service, and one current desktop Chrome. */
export const serviceVersion = "1.0"

export function serviceUserAgent(contact?: string): string {
  return `Trawl/${serviceVersion} (+${contact ?? "self-hosted"})`
}

const chromeVersion = "142"

/** Headers that agree with each other: user agent, client hints, languages. */
export const browserHeaders: Record<string, string> = {
  "user-agent": `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${chromeVersion}.0.0.0 Safari/537.36`,
  "sec-ch-ua": `"Chromium";v="${chromeVersion}", "Google Chrome";v="${chromeVersion}", "Not_A Brand";v="99"`,
  "sec-ch-ua-mobile": "?0",
  "sec-ch-ua-platform": '"Linux"',
  "upgrade-insecure-requests": "1",
  "sec-fetch-dest": "document",
  "sec-fetch-mode": "navigate",
  "sec-fetch-site": "none",
  "accept-language": "en;q=0.9,*;q=0.5",
  accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
}
