import { blockText } from "../core/index.ts"
import { shareOfWords } from "../page/index.ts"
import { type Product, readProduct } from "../product/index.ts"
import type { MainContent } from "./main-content.ts"

/** Less text than this is hardly what a page is about, but what it shows until its scripts have run. */
const shellTextChars = 250
const shortestDescription = 40
/** Of a description's words, how many the page shows where it shows the description. */
const shownShare = 0.6
const mostRows = 100
const mostFacts = 60

/**
 * What a product's page says in its data alone, of what its readers come for: the description, price,
 * numbers, specification and variants. Null where the page shows all of it, or sells nothing.
 */
export function unshownProduct(
  document: Document,
  pageUrl: string,
  { root, pageType }: Pick<MainContent, "root" | "pageType">,
): Element | null {
  const shown = blockText(root)
  if (pageType !== "product" && shown.length >= shellTextChars) return null
  const product = readProduct(document, pageUrl)
  if (!product) return null
  const writer = new Writer(document, shown)
  writer.description(product.description)
  writer.facts(factsOf(product))
  writer.variants(product.variants ?? [])
  return writer.root.firstChild ? writer.root : null
}

type Fact = [name: string, value: string, isShown?: RegExp]

function factsOf(product: Product): Fact[] {
  const { brand, sku, gtin, attributes = {} } = product
  return [
    ["Brand", brand ?? ""],
    ["Price", priceText(product.price ?? null, product.currency ?? null), amount(product.price)],
    ["SKU", sku ?? ""],
    ["GTIN", gtin ?? ""],
    ...Object.entries(attributes).slice(0, mostFacts),
  ]
}

const priceText = (price: number | null, currency: string | null) =>
  price === null ? "" : `${price.toFixed(2)}${currency ? ` ${currency}` : ""}`

/** An amount however it is written: 1299, 1,299.00 or 1 299,-. */
function amount(price: number | undefined): RegExp | undefined {
  // Longer ones are written with an exponent.
  if (price === undefined || price >= 1e21) return
  const [whole, cents] = price.toFixed(2).split(".") as [string, string]
  const rest = cents === "00" ? "" : `[.,]?${cents.replace(/0$/, "0?")}`
  return new RegExp(`(?<!\\d)${whole.split("").join("[.,'’\\s]?")}${rest}(?!\\d)`)
}

const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")

class Writer {
  readonly root: Element
  private readonly bareShown: string

  constructor(
    private readonly document: Document,
    private readonly shown: string,
  ) {
    this.root = document.createElement("div")
    this.bareShown = ` ${bare(shown)} `
  }

  description(text = ""): void {
    const isNew = text.length >= shortestDescription && shareOfWords(text, this.shown) < shownShare
    if (isNew) this.add(this.root, "p", text)
  }

  facts(facts: Fact[]): void {
    const missing = facts.filter(
      ([, value, isShown]) =>
        value !== "" && !(isShown ? isShown.test(this.shown) : this.isShown(value)),
    )
    if (missing.length === 0) return
    const list = this.add(this.root, "ul")
    for (const [name, value] of missing) this.add(list, "li", `${name}: ${value}`)
  }

  /** A table of those columns that say anything, where the page lacks the names of some. */
  variants(variants: NonNullable<Product["variants"]>): void {
    const named = variants.slice(0, mostRows).map((variant) => ({
      ...variant,
      name: variant.name ?? Object.values(variant.options).join(" / "),
    }))
    if (named.length < 2 || named.every(({ name }) => this.isShown(name))) return
    const rows = named.map(({ name, sku, price, currency, availability }) => [
      name,
      sku ?? "",
      priceText(price, currency),
      availability?.replaceAll("_", " ") ?? "",
    ])
    const names = ["Variant", "SKU", "Price", "Availability"]
    const said = names.map((_, column) => rows.some((row) => row[column] !== ""))
    const table = this.add(this.root, "table")
    this.row(
      table,
      "th",
      names.filter((_, column) => said[column]),
    )
    for (const row of rows)
      this.row(
        table,
        "td",
        row.filter((_, column) => said[column]),
      )
  }

  private isShown(value: string): boolean {
    return this.bareShown.includes(` ${bare(value).trim()} `)
  }

  private row(table: Element, name: string, cells: string[]): void {
    const row = this.add(table, "tr")
    for (const cell of cells) this.add(row, name, cell)
  }

  private add(parent: Element, name: string, text = ""): Element {
    const element = this.document.createElement(name)
    element.textContent = text
    parent.append(element)
    return element
  }
}
