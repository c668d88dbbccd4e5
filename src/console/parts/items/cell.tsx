import type { Item } from "../../data/keyless.ts"
import { Image, isImage } from "../image.tsx"
import { Value } from "../value.tsx"

/** A field of an item in its table: prices with their currency, and times in local format. */
export function Cell({ item, name }: { item: Item; name: string }) {
  const value = item[name]
  if (typeof value === "number" && /price|cost|amount|fee/i.test(name)) {
    return <>{priceOf(value, item.currency)}</>
  }
  const first = Array.isArray(value) ? value[0] : value
  if (isImage(name, first)) {
    return (
      <span class="pictured">
        <Image url={first} />
        <Value value={value} />
      </span>
    )
  }
  if (typeof value === "string" && isTime(value)) {
    return (
      <time dateTime={value} title={value}>
        {timeOf(value)}
      </time>
    )
  }
  return <Value value={value} />
}

const isTime = (text: string) =>
  /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d.*)?$/.test(text) && !Number.isNaN(Date.parse(text))

/** Formats a date without a time zone, and a time in the zone of the browser. */
function timeOf(text: string): string {
  const day = { dateStyle: "medium" } as const
  return text.length === 10
    ? new Date(text).toLocaleDateString(undefined, { ...day, timeZone: "UTC" })
    : new Date(text).toLocaleString(undefined, { ...day, timeStyle: "short" })
}

function priceOf(value: number, currency: unknown): string {
  const isCode = typeof currency === "string" && /^[A-Z]{3}$/.test(currency)
  return value.toLocaleString(undefined, isCode ? { style: "currency", currency } : {})
}
