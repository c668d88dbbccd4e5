import { Unreachable } from "./core/errors.ts"

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
  throw new Unreachable(
    `${setting} of this service is not a URL. The operator must set it to a URL such as https://host.`,
    "connection",
  )
}
