import { plainText } from "../../extract/core/index.ts"

/** Rows that other fields already cover: reviews and best-seller ranks. */
const otherFields = '[id*="averageCustomerReviews"], a[href*="/bestsellers/"], a[href*="/zgbs/"]'

/** Returns the overview, the details table and the details list, by label. */
export function specsOf(document: Document): Record<string, string> {
  const specs: Record<string, string> = {}
  const add = (label: string | null, value: string | null) => {
    const name = label?.replace(/(?<!\s)\s*[:：]\s*$/, "")
    if (name && value && !(name in specs)) specs[name] = value
  }
  const rows = document.querySelectorAll(
    "#productOverview_feature_div tr, table.prodDetTable tr, #productDetails_techSpec_section_1 tr",
  )
  for (const row of rows) {
    const cells = [...row.children]
    if (cells.length !== 2 || row.querySelector("table") || row.querySelector(otherFields)) continue
    add(plainText(cells[0]!), plainText(cells[1]!))
  }
  for (const line of document.querySelectorAll("#detailBullets_feature_div li")) {
    const label = plainText(line.querySelector(".a-text-bold"))
    if (!label || line.querySelector(otherFields)) continue
    add(label, plainText(line)?.slice(label.length).trim() || null)
  }
  return specs
}

const rank =
  /(?:#|\bnr\.?|\bn[º°.]?\s?)\s*([\d.,]+)\s+\p{L}{1,5}\s+([^#(]+?)(?=\s*(?:\(|#|\bnr\.?\s*\d|\bn[º°.]?\s?\d|$))/giu
/** French pages have no sign before the number; Japanese pages have a word after it. */
const otherRanks = [
  /(\d{1,3}(?:[ .,]?\d{3}){0,5}) en (\D+?)(?=\s*(?:\d|$))/gu,
  /(?<!\d)(\d[\d,]{0,20})位\s*([^\d\s-]+)/gu,
]

/** Parses "#520,707 in Grocery & Gourmet Food (See Top 100 …) #4,303 in Potato Chips & Crisps". */
export function ranksOf(document: Document): { rank: number; category: string }[] {
  const lines = document.querySelectorAll(
    "table.prodDetTable tr, #detailBullets_feature_div > ul > li, #detailBulletsWrapper_feature_div > ul > li, #SalesRank",
  )
  for (const line of lines) {
    if (!line.querySelector('a[href*="/bestsellers/"], a[href*="/zgbs/"]')) continue
    const text = plainText(line) ?? ""
    // "(See Top 100 in Books)" looks like a rank if ranks have no sign.
    const unmarked = text.replace(/\([^)]{0,300}\)/g, " ").replace(/\s+/g, " ")
    for (const matches of [
      [...text.matchAll(rank)],
      ...otherRanks.map((pattern) => [...unmarked.matchAll(pattern)]),
    ]) {
      if (matches.length === 0) continue
      return matches.map((match) => ({
        rank: Number(match[1]!.replace(/\D/g, "")),
        category: match[2]!.trim(),
      }))
    }
  }
  return []
}
