import { completeUrl } from "../../../extract/links/index.ts"
import { BadInput, Unreachable } from "./errors.ts"

/**
 * Returns a URL with its percent-encoding decoded; other texts as they are.
 * @example decodedPath("caf%C3%A9") // "café"
 */
export function decodedPath(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns the URL in a target, which may lack the scheme; null if it is not a URL.
 * @example targetUrl(" shop.example/p/1 ")?.pathname // "/p/1"
 */
export function targetUrl(target: string): URL | null {
  const text = target.trim()
  return URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
}

/**
 * Returns the complete URL. Throws BadInput if the text is not an http or https URL.
 * @example toPageUrl("a.example") // "https://a.example"
 */
export function toPageUrl(written: string): string {
  const url = completeUrl(written)
  if (url === null)
    throw new BadInput(`"${written}" is not an http or https URL.${adviceFor(written)}`)
  return url
}

/** Returns how to write what was meant, if a text contains several URLs. */
const adviceFor = (written: string) =>
  (written.match(/https?:\/\//gi) ?? []).length > 1 ? " Write each URL as an entry of its own." : ""

/**
 * Returns the URL of the operator's own instance of a service, from a setting; undefined if the
 * setting is empty. Throws Unreachable if it is not a URL, because a wrong setting is not a change
 * of the site.
 * @example ownUrl("GITLAB_URL", "https://git.example.org")?.origin // "https://git.example.org"
 */
export function ownUrl(setting: string, value: string | undefined): URL | undefined {
  if (!value) return undefined
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol)) return url
  const advice = "The operator must set it to a URL such as https://host."
  throw new Unreachable(`${setting} of this service is not a URL. ${advice}`, "connection")
}

/**
 * Returns the host of a URL without `www.`; null for other texts.
 * @example siteOf("https://www.example.com/a") // "example.com"
 */
export function siteOf(url: string): string | null {
  return URL.parse(url)?.hostname.replace(/^www\./, "") ?? null
}

export interface NamedLink {
  title: string
  url: string
}
