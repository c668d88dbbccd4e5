import { Unreachable } from "./errors.ts"

/**
 * The operator's own instance of a service, by what a setting of theirs says; undefined where it says
 * nothing. @throws Unreachable where that is no address: an operator's slip is no change of the site's
 */
export function ownAddress(setting: string, value: string | undefined): URL | undefined {
  if (!value) return undefined
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new Unreachable(
    `${setting} of this service is no address; its operator gives one as https://host.`,
    "connection",
  )
}
