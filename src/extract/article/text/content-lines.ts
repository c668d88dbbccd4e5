import { lineText, words } from "../../core/index.ts"
import {
  boilerplate,
  calls,
  creditLabels,
  dateWords,
  homeNames,
  imageAgencies,
  membership,
  months,
  pointers,
  weekdays,
  wholeLines,
} from "./words.ts"

/**
 * Lines inside an article that are not part of it, recognised by their wording: labels of ads
 * and boxes, pointers to other articles, calls to follow or subscribe, credits, dates.
 */

const lineStart = String.raw`^[^\p{L}\p{N}]*`
const lineEnd = String.raw`[^\p{L}\p{N}]*$`

/** Whole lines. */
const wholeLine = new RegExp(
  `${lineStart}(?:${words(...Object.values(wholeLines))})${lineEnd}`,
  "iu",
)

/** Beginnings of lines that point elsewhere, or call readers to do something. */
const beginnings = String.raw`(?:${words(pointers)})\s*[:|»>]|${words(calls, membership, boilerplate)}`
const lineBeginning = new RegExp(`${lineStart}(?:${beginnings})`, "iu")

/** Image credits and sources of a text: short lines. */
const imageNames = "image|photo|foto|bild|picture|credit|©"
const creditBeginning = new RegExp(
  [
    String.raw`${lineStart}(?:(?:${words(creditLabels)})\s*(?:[:©/|]|(?:by|von|de|par|por|di|courtesy)\s))`,
    String.raw`^\(?(?:${imageNames})[^a-z]`,
  ].join("|"),
  "iu",
)
const creditEnd = new RegExp(String.raw`(?:\/|\s)(?:${words(imageAgencies)})\)?\s*$`, "iu")

/** The path to a page: "Home » News » Lamps". */
const pathLine = new RegExp(
  String.raw`^[^\p{L}]*(?:${words(homeNames)})\s*[»›>/|:·→].{0,200}$`,
  "iu",
)

const letterFirst = /^\p{L}/u
/**
 * The beginnings of labels that start with a letter. It excludes most lines early: without Unicode, a
 * case-insensitive search for many words takes a third of the time.
 */
const labelBeginning = new RegExp(
  `^(?:${words(...Object.values(wholeLines), creditLabels, homeNames)}|${imageNames}|${beginnings})`,
  "i",
)

/** Longer lines are prose whatever their beginning; chosen by hand. */
const maxLineChars = 220
const maxCreditChars = 90
const maxWholeChars = 60

export function isLabel(text: string): boolean {
  if (text === "" || text.length > maxLineChars) return false
  const isShort = text.length <= maxCreditChars
  if (letterFirst.test(text)) {
    if (!labelBeginning.test(text)) return isShort && creditEnd.test(text)
  } else if (!/[\p{L}\p{N}]/u.test(text)) return true
  if (text.length <= maxWholeChars && wholeLine.test(text)) return true
  return (
    pathLine.test(text) ||
    lineBeginning.test(text) ||
    (isShort && (creditBeginning.test(text) || creditEnd.test(text)))
  )
}

const dateWord = new RegExp(String.raw`\b(?:${words(dateWords, weekdays, months)})\b\.?`, "giu")

const age = String.raw`\b(?:ago|vor|hace|il y a)\b`
const agePart = new RegExp(age, "iu")

/** Returns whether a line says how long ago something was, which is a date without a digit. */
export const statesAge = (text: string): boolean => agePart.test(text)

const datePart = new RegExp(
  words(
    String.raw`\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d[./-]\d{1,2}[./-]\d{1,2}\b`,
    String.raw`\b\d{1,2}[:.h]\d{2}\b|\b(?:19|20)\d\d\b|${age}`,
  ),
  "iu",
)

/** A line with a date in it and hardly anything else. */
export function isDateLine(text: string): boolean {
  if (
    text.length > maxLineChars ||
    !datePart.test(text) ||
    /^[^\p{L}\p{N}]*(?:19|20)?\d\d[^\p{L}\p{N}]*$/u.test(text)
  )
    return false
  return text.replace(dateWord, " ").replace(/[^\p{L}]+/gu, "").length <= 3
}

/** Removes headings that head nothing: at the end, or with their content removed. */
export function dropOrphanHeadings(root: Element): void {
  const headings = [...root.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  for (const heading of headings.reverse()) {
    // A heading that was never closed holds all of the text after it.
    if (heading.querySelector("p, ul, ol, table, blockquote, pre")) break
    if (!hasTextAfter(heading, root)) heading.remove()
    else break
  }
}

function hasTextAfter(element: Element, root: Element): boolean {
  for (let at: Element | null = element; at && at !== root; at = at.parentElement) {
    for (let next = at.nextSibling; next; next = next.nextSibling) {
      if (next.nodeType === 3 && next.nodeValue!.trim() !== "") return true
      if (next.nodeType === 1 && hasContent(next as Element)) return true
    }
  }
  return false
}

const hasContent = (element: Element) =>
  lineText(element) !== "" ||
  element.localName === "img" ||
  element.querySelector("img, iframe, video") !== null
