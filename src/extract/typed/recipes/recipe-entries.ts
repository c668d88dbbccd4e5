import { words } from "../../core/index.ts"
import type { Span, Visible } from "../shown.ts"

export type Part = "ingredients" | "instructions"

const maxEntries = 300
/** Longer lines are prose around the ingredients. */
const maxIngredient = 250
const maxCounter = 40
/** Longer lines are no list with commas. */
const maxApart = 2000
/** Minimum share of a part that its lists or table rows cover if they are its entries. */
const minListed = 0.5

const fraction = "[½⅓⅔¼¾⅕⅛⅜⅝⅞]"
const amount = String.raw`(?:\d+(?:[.,/⁄]\d+)?(?:\s?${fraction}|\s\d[/⁄]\d)?|${fraction})`
const units = words({
  any: "g|gr|kg|mg|ml|cl|dl|l|oz|lbs?|dkg",
  en: "grams?|kilos?|lit(?:er|re)s?|ounces?|pounds?|cups?|tbsps?|tbs|tablespoons?|tsps?|teaspoons?|c|pints?|quarts?|sticks?|cans?|tins?|cloves?|pinch(?:es)?|bunch(?:es)?|handfuls?|slices?|packets?|packages?|heads?|stalks?|sprigs?",
  de: "gramm|el|tl|esslöffel|teelöffel|prisen?|bund|stück|stk|zehen?|pck|päckchen|packung|dosen?|becher|tassen?|scheiben?",
  fr: "grammes?|cs|cc|c\\.? ?à|cuill[eè]res?|tasses?|gousses?|sachets?|pincées?|verres?|tranches?|brins?",
  es: "gramos|cucharad(?:it)?as?|tazas?|dientes?|pizcas?|hojas?",
  it: "grammi|cucchia(?:io|i)|cucchiain[oi]|spicchi?o?|pizzic[oi]|bustin[ae]|fogli[ae]?",
  pt: "gramas|colher(?:es)?|xícaras?|copos?|latas?|pitadas?|quilos?",
  nl: "gram|eetlepels?|theelepels?|teen|teentjes?|snufjes?|blikje|plakjes?",
  sv: "msk|tsk|krm|st|burk|klyft(?:a|or)",
  da: "spsk|knsp|stk|fed|dåse",
  nb: "ss|ts|båt(?:er)?|boks",
  fi: "rkl|tl|kpl|ripaus|prk",
  pl: "łyżk[ai]|łyżek|łyżecz\\w+|szklan\\w+|ząb\\w*|szt|szczypta",
  cs: "lžíce|lžičky?|hrn\\w+|ks",
  hu: "ek|tk|db|csipet|gerezd|kiskanál|evőkanál",
  tr: "su bardağı|yemek kaşığı|çay kaşığı|tatlı kaşığı|çay bardağı|adet|diş|paket|demet",
  ru: "гр?|кг|мл|л|ст\\.? ?л|ч\\.? ?л|шт|стакан\\w*|зубчик\\w*|щепотк\\w*",
  zh: "克|毫升|勺|汤匙|茶匙|个|片|根",
  ja: "グラム|個|枚|カップ|本|少々",
  ko: "큰술|작은술|개|컵|그램",
})
const first = new RegExp(
  String.raw`^(?:[~±≈]\s?|(?:about|approx\.?|ca\.?|circa|etwa|env\.?|environ)\s)?${amount}(?!\s?[.):–-]\s)`,
  "iu",
)
const last = new RegExp(
  String.raw`(?:^|[\s(:–-])${amount}(?:\s?(?:${units})\.?)?(?:\s\([^()]*\))?$`,
  "iu",
)
const counted = new RegExp(
  String.raw`(?:^|[\s(])${amount}\s?-?(?:${units})(?![\p{L}\d])|(?:大さじ|小さじ)\s?${amount}`,
  "iu",
)
const plainAmount = new RegExp(
  String.raw`^${amount}(?:\s?[-–]\s?${amount})?(?:\s?(?:${units})\.?)?$`,
  "iu",
)
/** Times, temperatures, dates and shares also begin or end with a number. */
const otherNumber =
  /^\d+(?:\s?[-–]\s?\d+)?\s?(?:min|h|hrs?|hours?|std|stunden|minut|dakika|timer?|%|°|k?cal|kj|x)(?:\P{L}|ut|uti|es|s|$)|\b(?:19|20)\d\d\b|\d:\d\d/iu

/** For how many it is: `4 Portionen`, `Für 4 Personen`, `2 főre`. */
const people = words({
  en: "servings?|people|persons?|portions?|reviews?|ratings?|comments?|calories",
  de: "portion(?:en)?(?:/en)?|personen",
  fr: "personnes?|parts|convives",
  es: "raciones|personas?|porciones|comensales",
  it: "porzioni|persone|calorie",
  nl: "personen|porties",
  pt: "porções|pessoas",
  pl: "porcj[ie]|osoby?|osób",
  sv: "portioner|personer",
  nb: "porsjoner",
  hu: "főre|adag",
  tr: "kişilik",
  cs: "porc[eí]",
  fi: "annosta",
  ru: "порци[ийя]",
})
export const forHowMany = new RegExp(
  String.raw`^(?:(?:serves|makes|yields?)\s|(?:for|für|pour|para|per|voor|til|till)\s+(?:about |ca\.? )?\d|\D{0,20}\d{1,3}(?:\s?(?:-|–|to|bis|à|a)\s?\d{1,3})?\s(?:${people})(?:\P{L}|$))`,
  "iu",
)

/** Returns whether a line contains an amount. */
export const isMeasured = (text: string) =>
  text.length <= 160 &&
  !otherNumber.test(text) &&
  !forHowMany.test(text) &&
  (first.test(text) || last.test(text))
export const hasUnit = (text: string) => isMeasured(text) && counted.test(text)

/** Headings of groups within a part: `For the dough`, `Sauce:`. */
export const group = /^(?:for|für|pour|para|per|voor|zum|zur|till|til)\s.{1,60}$|^.{1,60}[:：]$/i
const numbered = String.raw`(?:step|schritt|étape|etape|paso|passo|passaggio|stap|krok|steg|trin)\s*\d{1,2}`
export const counter = new RegExp(String.raw`^(?:${numbered}|\d{1,2})\s*[.:)]?$`, "i")
const leadingCounter = new RegExp(
  String.raw`^(?:${numbered}\s*[.:)–-]?\s+|\d{1,2}\s?(?:[.)]\s*(?=\p{Lu})|[-–]\s+|[.)]\s+))`,
  "iu",
)
/** Boxes to tick and bullets that are written out. */
const box = /^(?:[▢☐□☑✓✔•·●◦*–-]\s*)+/u
const sentence = /^.{40,}[.!?]$/
/** Texts of buttons. */
const pressed =
  /^(?:(?:add|save|send) (?:all |ingredients )?to\b.*|print|save|share|pin|tweet|e-?mail|copy|advertisement|jump to .*|click here.*|zu(?:r)? einkaufs\S+.*|drucken|teilen|imprimer|partager|imprimir|stampa|ingredient checklist|(?:\d?[½.]?\d?x\s*)+|us customary.*|metric)$/i
const onlyTime =
  /^(?:\P{L}*(?:prep|cook|total|bake)\w*(?: time)?\P{L}*)?\d+\s?(?:min|h|hrs?|hours?|std|sec|minut)\S*$/iu

/** Returns the entries of a recipe's part: list items, table rows or lines. */
export function entriesOf(visible: Visible, span: Span, part: Part): string[] {
  const all = span.to - span.from
  const items = itemsIn(visible.items, span)
  const rows = rowsOf(visible, span)
  const isListed = (spans: readonly Span[]) => lengthOf(spans) >= all * minListed
  const spans = isListed(items) ? items : isListed(rows) ? rows : linesOf(visible, span)
  return textsOf(visible, spans, part)
}

/** The entries that parts of the text are, each of its own. */
export function textsOf(visible: Visible, spans: readonly Span[], part: Part): string[] {
  const texts = spans
    .slice(0, maxEntries)
    .flatMap((one) => visible.line(one)?.replace(box, "") || [])
  return part === "ingredients" ? ingredientsAmong(texts) : stepsAmong(texts)
}

function ingredientsAmong(texts: readonly string[]): string[] {
  const entries: string[] = []
  let open = ""
  for (const text of texts) {
    if (text.length > maxIngredient || pressed.test(text) || forHowMany.test(text)) continue
    if (open === "" && (/[:：]$/.test(text) || (group.test(text) && !/\d/.test(text)))) continue
    // An amount on the line above its ingredient.
    if (plainAmount.test(text) && texts.length > 1) open = text
    else {
      entries.push(open === "" ? text : `${open} ${text}`)
      open = ""
    }
  }
  // Sentences below the list: how it keeps, whom it suits.
  while (entries.length > 0 && sentence.test(entries.at(-1)!) && !isMeasured(entries.at(-1)!)) {
    entries.pop()
  }
  const [line] = texts
  const several = line === undefined ? [] : apart(line)
  return several.length > entries.filter(isMeasured).length ? several : entries
}

/** Ingredients that are written in one line, with commas between them. */
function apart(text: string): string[] {
  if (text.length > maxApart) return []
  const parts = text.split(/\s*[,;•]\s+(?![^()]*\))/).filter((part) => part !== "")
  return parts.filter(isMeasured).length > 2 ? parts : []
}

function stepsAmong(texts: readonly string[]): string[] {
  // Text above the first numbered step is not a step: it states the time or the difficulty.
  const start = texts.findIndex((text) => text.length < maxCounter && counter.test(text))
  const steps = texts
    .slice(Math.max(0, start))
    .filter(
      (text) =>
        !(
          counter.test(text) ||
          /^.{1,60}[:：]$/.test(text) ||
          pressed.test(text) ||
          onlyTime.test(text)
        ),
    )
  const isCounted =
    steps.length > 1 && steps.every((text, index) => text.startsWith(`${index + 1} `))
  return steps.map((text) =>
    isCounted ? text.replace(/^\d+ /, "") : text.replace(leadingCounter, ""),
  )
}

/** Returns the list items; of nested lists the inner ones, if the outer one has little else. */
function itemsIn(items: readonly Span[], span: Span, depth = 0): Span[] {
  const inside = items.filter(
    ({ from, to }) =>
      from >= span.from && to <= span.to && (depth === 0 || to - from < span.to - span.from),
  )
  const outer = outermost(inside).slice(0, maxEntries)
  if (depth === 4 || outer.length === inside.length) return outer
  return outer.flatMap((item) => {
    const inner = itemsIn(inside, item, depth + 1)
    return inner.length > 1 && lengthOf(inner) >= (item.to - item.from) * minListed ? inner : item
  })
}

export function rowsOf(visible: Visible, span: Span): Span[] {
  const rows = new Map<Element | null, Span>()
  for (const { from, to, row, kind } of visible.cells) {
    if (from < span.from || to > span.to || kind.startsWith("d")) continue
    rows.set(row, { from: Math.min(from, rows.get(row)?.from ?? from), to })
    if (rows.size > maxEntries) break
  }
  return [...rows.values()]
}

/** Returns the spans that no other span contains, sorted by start. */
export function outermost(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((one, other) => one.from - other.from || other.to - one.to)
  let end = -1
  return sorted.filter(({ from, to }) => {
    if (from < end || to <= from) return false
    end = to
    return true
  })
}

const lengthOf = (spans: readonly Span[]) => spans.reduce((sum, { from, to }) => sum + to - from, 0)

/** The lines of a part without its headings, marked or in bold. */
function linesOf({ text, headings, bold }: Visible, span: Span): Span[] {
  const titles = new Set([...headings, ...bold].map(({ from }) => from))
  const lines: Span[] = []
  let from = span.from
  for (const line of text.slice(span.from, span.to).split("\n", maxEntries * 4)) {
    if (line.trim() !== "" && !titles.has(from)) lines.push({ from, to: from + line.length })
    from += line.length + 1
  }
  return lines.slice(0, maxEntries)
}
