import { wordList, wordSet } from "../../core/index.ts"
import { gtinOf, isPlaceholder } from "../text/ids.ts"
import { type Label, labelNames } from "./label-names.ts"

const byName = new Map(
  Object.entries(labelNames).flatMap(([label, table]) =>
    wordList(table).map((name) => [name, label as Label]),
  ),
)

/** Names that also precede other things: they count only before a colon or in their own cell. */
const commonNames = wordSet(`
  code codice código cód cod kod kód kods kodas код artikel model modell modèle modello modelo malli
  mudel modelis модель модел indeks symbol han jan κωδικός pn
`)

/** These also label vouchers; a product's number has more digits than "SAVE10". */
const voucherNames = new Set(["code", "codice", "código", "kod", "kód", "код", "cod", "cód"])
const fewestDigits = 4

const maxNameChars = 40
/** Values are cut to this length first. */
const maxTextChars = 200

/** A label as `label-names.ts` spells it. */
function nameOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/["'׳״]/g, (mark) => (mark === "'" ? mark : ""))
    .replace(/[#№]|\bn[°º]/g, " no ")
    .replace(/[\s\u200e\u200f.:：_/()[\]【】〈〉-]+/gu, " ")
    .trim()
}

/** The property that a label names; null for all other labels. */
export function labelOf(text: string): Label | null {
  if (text.length > maxNameChars) return null
  return byName.get(nameOf(text)) ?? null
}

/** Returns a shown value, trimmed to its code; null if it is not valid for the label. */
export function labelledValue(labelText: string, text: string): string | null {
  const label = labelOf(labelText)
  const value = text
    .slice(0, maxTextChars)
    .replace(/[\u200e\u200f]/g, "")
    .replace(/^[\s:：#【〈[(-]+/, "")
    .replace(/[\s】〉\]),;.]+$/, "")
  if (label === null || isPlaceholder(value)) return null
  if (label === "gtin") return gtinOf(/^[\dXx][\dXx\s-]*/.exec(value)?.[0])
  if (label === "brand") return value.length >= 2 && value.length <= maxNameChars ? value : null
  const code = label === "sku" ? shopCode(value) : value
  if (code.length < 2 || code.length > 40 || /[:?!]|\s\S+\s\S+\s/.test(code)) return null
  const digits = code.match(/\d/g)?.length ?? 0
  return digits >= (voucherNames.has(nameOf(labelText)) ? fewestDigits : 1) ? code : null
}

/** All of `AB 12.34`, but only the first word of `12-34 in three colours`. */
function shopCode(value: string): string {
  const words = value.split(/\s*[,;|(]|\s+\S+[:：]/)[0]!.trim()
  return /^(?:[\p{Lu}\d][\p{Lu}\d./_-]*\s?){1,3}$/u.test(words) && /\d/.test(words)
    ? words
    : (/^\S*/.exec(words)?.[0] ?? "")
}

/** Splits `Ref. KT-100`: a label without a colon, and a code of some length. */
export function splitPlain(text: string): [label: string, value: string] | null {
  const words = text.split(" ")
  if (words.length < 2 || words.length > 7) return null
  for (let count = Math.min(words.length - 1, 4); count > 0; count--) {
    const label = words.slice(0, count).join(" ")
    const value = words.slice(count).join(" ")
    if (labelOf(label) === null || labelOf(label) === "brand") continue
    if (commonNames.has(nameOf(label)) || !isLongCode(value)) return null
    return [label, value]
  }
  return null
}

const isLongCode = (value: string) =>
  /^[\p{L}\d][\p{L}\d./_-]*(?:\s[\p{Lu}\d./_-]+){0,3}$/u.test(value) &&
  (value.match(/\d/g)?.length ?? 0) >= 3
