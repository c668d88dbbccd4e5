import { words } from "../core/index.ts"
import { stockPhrases } from "./words.ts"

/** Whether and how a product is available, in the terms of schema.org's ItemAvailability. */
export const availabilities = [
  "in_stock",
  "out_of_stock",
  "preorder",
  "backorder",
  "limited",
  "discontinued",
  "in_store_only",
  "online_only",
  "sold_out",
  "unknown",
] as const
export type Availability = (typeof availabilities)[number]

const bySchemaName: Record<string, Availability> = {
  instock: "in_stock",
  available: "in_stock",
  true: "in_stock",
  outofstock: "out_of_stock",
  oos: "out_of_stock",
  unavailable: "out_of_stock",
  notavailable: "out_of_stock",
  false: "out_of_stock",
  preorder: "preorder",
  presale: "preorder",
  availablefororder: "in_stock",
  backorder: "backorder",
  limitedavailability: "limited",
  lowstock: "limited",
  discontinued: "discontinued",
  instoreonly: "in_store_only",
  onlineonly: "online_only",
  madetoorder: "in_stock",
  reserved: "out_of_stock",
  soldout: "sold_out",
}

/** Words match as a whole, except in scripts that write without spaces. */
const patterns = stockPhrases.map(
  ([availability, table]) =>
    [new RegExp(`(?<![a-zà-ž])(?:${words(table)})(?![a-zà-ž])`, "iu"), availability] as const,
)

/** schema.org's value in any spelling: `http://schema.org/InStock`, `in stock`, `instock`. */
export function availabilityOf(value: unknown): Availability | null {
  if (typeof value !== "string" && typeof value !== "boolean") return null
  const text = String(value).trim()
  if (text === "") return null
  const last = /^https?:/i.test(text)
    ? text.replace(/(?<![/#])[/#]+$/, "").replace(/^.*[/#]/s, "")
    : text
  const plain = last
    .replace(/^schema:/i, "")
    .replace(/[^a-z]/gi, "")
    .toLowerCase()
  return bySchemaName[plain] ?? availabilityInText(text)
}

/** Returns the availability in a short text of a page; null if it does not mention it. */
export function availabilityInText(text: string): Availability | null {
  return patterns.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

/** Returns whether it can be bought now; null if that is not known. */
export function isInStock(availability: Availability | null): boolean | null {
  if (availability === null || availability === "unknown") return null
  return ["in_stock", "limited", "online_only", "in_store_only"].includes(availability)
}
