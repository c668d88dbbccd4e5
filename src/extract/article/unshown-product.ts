import { blockText } from "../core/index.ts"
import { shareOfWords } from "../page/index.ts"
import { type Product, readProduct } from "../product/index.ts"
import type { MainContent } from "./main-content.ts"

/** Shorter text is rarely the content: the page is an app shell. */
const shellTextChars = 250
const shortestDescription = 40
/** Minimum share of a description's words on a page that shows the description. */
const visibleShare = 0.6
const maxRows = 100
const maxFacts = 60

/**
 * Returns the parts of a product's description that are only in the page's data: description, price,
 * numbers, specification and variants. Null if the page shows all of them, or sells nothing.
 */
export function unshownProduct(
  document: Document,
  pageUrl: string,
  { root, pageType }: Pick<MainContent, "root" | "pageType">,
): Element | null {
  const isShell = blockText(root).length < shellTextChars
  if (pageType !== "product" && !isShell) return null
  const product = readProduct(document, pageUrl)
  if (!product) return null
  // By all that the page shows: what it shows elsewhere was left out of what it is about on purpose.
  const writer = new Writer(document, blockText(document.body))
  writer.description(product.description)
  writer.facts(isShell ? factsOf(product) : attributesOf(product))
  writer.variants(product.variants ?? [], product.name)
  return writer.root.firstChild ? writer.root : null
}

type Fact = [name: string, value: string, isVisible?: RegExp]

function factsOf(product: Product): Fact[] {
  const { brand, sku, gtin } = product
  return [
    ["Brand", brand ?? ""],
    ["Price", priceText(product.price ?? null, product.currency ?? null), amount(product.price)],
    ["SKU", sku ?? ""],
    ["GTIN", gtin ?? ""],
    ...attributesOf(product),
  ]
}

const attributesOf = ({ attributes = {} }: Product): Fact[] =>
  Object.entries(attributes).slice(0, maxFacts)

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

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")

type Variant = NonNullable<Product["variants"]>[number]

/** Without the product's name, which each of them repeats in many shops. */
function ownName({ name, options }: Variant, productName: string): string {
  if (!name) return Object.values(options).join(" / ")
  const rest = name.startsWith(productName) ? name.slice(productName.length) : name
  return rest.replace(/^[^\p{L}\p{N}]+/u, "") || name
}

class Writer {
  readonly root: Element
  private readonly plainVisible: string

  constructor(
    private readonly document: Document,
    private readonly visible: string,
  ) {
    this.root = document.createElement("div")
    this.plainVisible = ` ${plain(visible)} `
  }

  description(text = ""): void {
    const isNew =
      text.length >= shortestDescription && shareOfWords(text, this.visible) < visibleShare
    if (isNew) this.add(this.root, "p", text)
  }

  facts(facts: Fact[]): void {
    const missing = facts.filter(
      ([, value, isVisible]) =>
        value !== "" && !(isVisible ? isVisible.test(this.visible) : this.isVisible(value)),
    )
    if (missing.length === 0) return
    const list = this.add(this.root, "ul")
    for (const [name, value] of missing) this.add(list, "li", `${name}: ${value}`)
  }

  /** A table of those columns that say anything, where the page lacks the names of most. */
  variants(variants: Variant[], productName = ""): void {
    const byName = new Map(
      variants.map((variant) => [ownName(variant, productName), variant] as const),
    )
    byName.delete("")
    const named = [...byName].slice(0, maxRows).map(([name, variant]) => ({ ...variant, name }))
    const isKnown = ({ name, options }: (typeof named)[number]) =>
      this.isVisible(name) || this.areVisible(Object.values(options))
    const known = named.filter(isKnown).length
    if (named.length < 2 || known * 2 >= named.length) return
    const rows = named.map(({ name, sku, price, currency, availability }) => [
      name,
      sku ?? "",
      priceText(price, currency),
      availability?.replaceAll("_", " ") ?? "",
    ])
    const names = ["Variant", "SKU", "Price", "Availability"]
    const stated = names.map((_, column) => rows.some((row) => row[column] !== ""))
    const table = this.add(this.root, "table")
    this.row(
      table,
      "th",
      names.filter((_, column) => stated[column]),
    )
    for (const row of rows)
      this.row(
        table,
        "td",
        row.filter((_, column) => stated[column]),
      )
  }

  private areVisible(values: string[]): boolean {
    return values.length > 0 && values.every((value) => this.isVisible(value))
  }

  private isVisible(value: string): boolean {
    return this.plainVisible.includes(` ${plain(value).trim()} `)
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
