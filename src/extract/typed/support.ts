import { absoluteUrl, baseUrl, elementsWhere } from "../core/index.ts"
import { parseAmount } from "../price/index.ts"
import type { Field } from "./schema.ts"

const maxText = 5_000_000
const maxNumbers = 200_000
const maxPaths = 500
/** Longer texts may be rephrased, if at least this number of their words is on the page. */
const longQuote = 8
const ownShare = 0.8
const reported = ["content", "alt", "title", "datetime", "value", "aria-label"]
const addressed = ["href", "src", "data-src", "content"]

/** The content of a page, for comparison with a model's values. */
class Holdings {
  private readonly text: string
  private readonly words: ReadonlySet<string>
  private readonly numbers = new Set<number>()
  private readonly addresses = new Set<string>()

  constructor(document: Document, url: string) {
    const base = baseUrl(document, url)
    const parts = [document.documentElement.textContent ?? "", url]
    this.addresses.add(plainAddress(url))
    for (const element of elementsWhere(document, (one) => one.attributes.length > 0)) {
      for (const name of reported) parts.push(element.getAttribute(name) ?? "")
      for (const name of addressed) {
        const href = absoluteUrl(element.getAttribute(name), base)
        if (href !== null) this.addresses.add(plainAddress(href))
      }
    }
    const written = parts.join(" ").slice(0, maxText)
    this.text = ` ${plain(written)} `
    this.words = new Set(this.text.split(" "))
    let left = maxNumbers
    for (const [number] of written.matchAll(/\d(?:[\d.,'’\u00a0\u202f ]{0,20}\d)?/g)) {
      if (left-- === 0) break
      for (const one of [number, ...number.split(/[\s\u00a0\u202f]+/)]) this.keep(one)
    }
  }

  private keep(written: string): void {
    const amount = parseAmount(written)
    if (amount !== null) this.numbers.add(amount)
    for (const part of [written, ...written.split(/[.,]/)]) {
      const number = Number(part)
      if (Number.isFinite(number)) this.numbers.add(number)
    }
  }

  holds(value: unknown, format: string | null): boolean {
    if (typeof value === "number") return this.numbers.has(Math.abs(value))
    if (typeof value !== "string") return true
    if (format === "uri" || /^https?:\/\/\S+$/.test(value)) {
      return this.addresses.has(plainAddress(value)) || this.text.includes(` ${plain(value)} `)
    }
    const wanted = plain(value)
    if (wanted === "" || this.text.includes(` ${wanted} `)) return true
    const day = /^(\d{4})-(\d{2})-(\d{2})/.exec(value)
    // A day is written in many ways, but by its numbers.
    if (day) return this.numbers.has(Number(day[1])) && this.numbers.has(Number(day[3]))
    const words = wanted.split(" ")
    const own = words.filter((word) => this.words.has(word)).length
    return words.length > longQuote && own >= words.length * ownShare
  }
}

/** Returns the letters and digits of a text, separated by single spaces. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

const plainAddress = (url: string) =>
  (URL.parse(url)?.href ?? url).replace(/^https?:\/\/(?:www\.)?/, "").replace(/[/#]+$/, "")

/**
 * Returns the paths of a response's values that its page does not contain: texts, numbers, days and URLs.
 * Booleans and values of an `enum` are not checked.
 */
export function unsupportedIn(
  response: Record<string, unknown>,
  schema: Field | null,
  document: Document,
  url: string,
): string[] {
  const holdings = new Holdings(document, url)
  const paths: string[] = []
  const visit = (value: unknown, field: Field | null, path: string, depth: number): void => {
    if (paths.length === maxPaths || depth > 20 || field?.choices) return
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) {
        visit(one, field?.items ?? null, `${path}[${index}]`, depth + 1)
      }
    } else if (typeof value === "object" && value !== null) {
      const fields = new Map(field?.properties ?? [])
      for (const [name, one] of Object.entries(value)) {
        visit(one, fields.get(name) ?? null, path === "" ? name : `${path}.${name}`, depth + 1)
      }
    } else if (!holdings.holds(value, field?.format ?? null)) paths.push(path)
  }
  visit(response, schema, "", 0)
  return paths
}
