import { isoDate } from "../../core/index.ts"

/** Dates as pages write them. */

const numeric = /(?<![\d.,/])(\d{1,2})([./-])\s?(\d{1,2})\2\s?((?:19|20)\d\d|\d\d)(?![\d/])/
const isoForm =
  /(?<!\d)(?:19|20)\d\d-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/
const dayFirst =
  /(?<!\d)\d{1,2}(?:st|nd|rd|th|er|º|\.)?\s(?:de\s|of\s)?\p{L}{3,12}\.?,?\s(?:de\s|del\s)?(?:19|20)\d\d/u
const monthFirst = /\p{L}{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s(?:19|20)\d\d/u

/** 2022/02/28, 2022. 02. 28., 2022年2月28日, 2022년 2월 28일. */
const yearFirst =
  /(?<![\d./])((?:19|20)\d\d)(?:([/.])\s?(\d{1,2})\2\s?|\s?[年년]\s?(\d{1,2})\s?[月월]\s?)(\d{1,2})(?![\d/])/

/** "2024 Jun 30", as libraries write it, and Hungarian. */
const yearAndMonth = /(?<!\d)((?:19|20)\d\d)\.?\s(\p{L}{3,12})\.?\s(\d{1,2})(?!\d)/u

/** Two digits are a year only at the end of a line or its part. */
const shortYear = /(?<!\d)(\d{1,2})[.\s]\s?(\p{L}{3,12})[.\s]\s?(\d\d)(?=\s*(?:$|[|,;)–-]))/u

const longYear = /(?:19|20)\d\d/

/** The first date in a text: 27.1.2022, 23 mai 2019, December 29th 2019. */
export function dateInText(text: string, language: string | null): string | null {
  const folded = text.replace(/\s+/g, " ")
  // Most lines have no year, so they need no search for a date around one.
  const full = longYear.test(folded) ? fullDate(folded) : null
  if (full) return full
  const short = shortYear.exec(folded)
  const shortDate = short && isoDate(`${short[1]} ${short[2]} 20${short[3]}`)
  if (shortDate) return shortDate
  const match = numeric.exec(folded)
  return match ? numericDate(match, language) : null
}

/** One whose year has four digits, but for those of numbers alone with the day first. */
function fullDate(folded: string): string | null {
  const iso = isoForm.exec(folded)
  if (iso) return isoDate(iso[0])
  for (const form of [dayFirst, monthFirst]) {
    const match = form.exec(folded)
    const date = match && isoDate(match[0].replace(/(\d),\s/, "$1, ").replace(/(\p{L}),/u, "$1"))
    if (date) return date
  }
  const year = yearFirst.exec(folded)
  const date = year && dayOf(year[1]!, year[3] ?? year[4]!, year[5]!)
  if (date) return date
  const named = yearAndMonth.exec(folded)
  return named && isoDate(`${named[3]} ${named[2]} ${named[1]}`)
}

/** Day before month, but with slashes in American pages. */
function numericDate(match: RegExpExecArray, language: string | null): string | null {
  const [first, second] = [Number(match[1]), Number(match[3])]
  const american = match[2] === "/" && /^en(?:-us)?$/i.test(language ?? "")
  const [day, month] = (american && first <= 12) || second > 12 ? [second, first] : [first, second]
  const year = match[4]!.length === 2 ? `20${match[4]}` : match[4]!
  return dayOf(year, String(month), String(day))
}

const dayOf = (year: string, month: string, day: string) =>
  isoDate(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`)

/** A date as pages write it, `4/6/2016 4:00:00 PM` of American servers included. */
export function pageDate(written: string | null | undefined): string | null {
  if (!written) return null
  const american = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})(\s+\d.*)?$/.exec(written)
  if (!american) return isoDate(written)
  const [first, second] = [Number(american[1]), Number(american[2])]
  const [month, day] = first > 12 ? [second, first] : [first, second]
  const date = `${american[3]}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`
  return isoDate(`${date}${american[4] ? ` ${dayTime(american[4])}` : ""}`)
}

/** "4:00:00 PM" as 16:00:00. */
function dayTime(written: string): string {
  const clock = /^\s*(\d{1,2})(:\d\d(?::\d\d)?)\s*([ap])\.?m/i.exec(written)
  if (!clock) return written.trim()
  const hour = (Number(clock[1]) % 12) + (clock[3]!.toLowerCase() === "p" ? 12 : 0)
  return `${String(hour).padStart(2, "0")}${clock[2]}`
}
