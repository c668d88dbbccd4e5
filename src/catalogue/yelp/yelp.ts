import { type Address, BadInput } from "../kit/index.ts"

export type BusinessUrl = { host: string; alias: string }

/** Returns the host and name of a business from its page's URL, a link to it, or its name. */
export function toBusinessUrl(written: string): BusinessUrl {
  const text = written.trim()
  const page =
    /^(?:https?:\/\/)?((?:www|m|[a-z]{2})\.yelp\.[a-z.]+|yelp\.[a-z.]+)\/biz\/([^/?#]+)/i.exec(text)
  if (page) {
    const host = page[1]!.toLowerCase().replace(/^(?:m\.)?yelp\./, "www.yelp.")
    return { host: host.replace(/^m\./, "www."), alias: page[2]! }
  }
  const target = redirectTarget(text)
  if (target) return toBusinessUrl(target)
  if (/^[a-z0-9%-]+$/i.test(text)) return { host: "www.yelp.com", alias: text }
  throw new BadInput(`"${written}" is neither the URL nor the name of a business on Yelp.`)
}

function redirectTarget(text: string): string | null {
  if (!/yelp\.[a-z.]{1,20}\/(?:biz_redir|adredir)\b/i.test(text) || !URL.canParse(text)) return null
  const { searchParams } = new URL(text)
  return searchParams.get("redirect_url") ?? searchParams.get("url")
}

export const businessUrl = ({ host, alias }: BusinessUrl) => `https://${host}/biz/${alias}`

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const
export type Hours = Record<(typeof weekdays)[number], string | null>

/** Returns opening hours from the texts of each day; null if no day has any. */
export function hoursOf(textsOf: (day: (typeof weekdays)[number]) => string[]): Hours | null {
  const entries = weekdays.map((day) => [day, textsOf(day).join(", ") || null] as const)
  return entries.every(([, text]) => text === null) ? null : (Object.fromEntries(entries) as Hours)
}

/** Returns a postal address with the line that displays it. */
export function withLine(address: Address | null, visible: string | null) {
  if (!address) return null
  const { street, city, region, postalCode } = address
  const place = [city, [region, postalCode].filter(Boolean).join(" ")].filter(Boolean).join(", ")
  const formatted = visible ?? ([street, place].filter(Boolean).join(", ") || null)
  return { ...address, formatted }
}
