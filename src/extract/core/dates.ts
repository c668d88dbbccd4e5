const zones: Record<string, string> = {
  ut: "+0000",
  gmt: "+0000",
  utc: "+0000",
  z: "+0000",
  est: "-0500",
  edt: "-0400",
  cst: "-0600",
  cdt: "-0500",
  mst: "-0700",
  mdt: "-0600",
  pst: "-0800",
  pdt: "-0700",
  cet: "+0100",
  cest: "+0200",
  mez: "+0100",
  mesz: "+0200",
  bst: "+0100",
  jst: "+0900",
  ist: "+0530",
}

/** Month names by their first letters, in the languages that feeds actually use. */
const months: [RegExp, number][] = [
  [/^(?:jan|janv|janeiro|ene|gen|jän|sty|янв)/i, 1],
  [/^(?:feb|fev|fév|févr|фев)/i, 2],
  [/^(?:mar|mär|mrz|maart|märz|мар)/i, 3],
  [/^(?:apr|abr|avr|апр)/i, 4],
  [/^(?:may|mai|mag|mei|май|мая)/i, 5],
  [/^(?:jun|juin|giu|июн)/i, 6],
  [/^(?:jul|juil|lug|июл)/i, 7],
  [/^(?:aug|ago|août|aout|авг)/i, 8],
  [/^(?:sep|set|сен)/i, 9],
  [/^(?:oct|out|okt|ott|окт)/i, 10],
  [/^(?:nov|ноя)/i, 11],
  [/^(?:dec|dez|dic|déc|дек)/i, 12],
]

/** Full names and abbreviations of other languages: their beginnings are too many words. */
const namedMonths = new Map(
  [
    "oca ocak ian ianuarie tammikuu tammikuuta styczeń",
    "lut luty lutego şub şubat helmikuu helmikuuta",
    "mrt maaliskuu maaliskuuta",
    "kwi kwiecień kwietnia nis nisan huhtikuu huhtikuuta",
    "maj maja maí toukokuu toukokuuta",
    "cze czerwiec czerwca haz haziran iun iunie kesäkuu kesäkuuta",
    "lip lipiec lipca tem temmuz iul iulie heinäkuu heinäkuuta",
    "sie sierpień sierpnia ağu ağustos agu agustus elokuu elokuuta",
    "wrz wrzesień września eyl eylül syyskuu syyskuuta",
    "paź październik października eki ekim lokakuu lokakuuta",
    "lis listopad listopada kas kasım marraskuu marraskuuta",
    "gru grudzień grudnia ara aralık des desember joulukuu joulukuuta",
  ].flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)),
)

function monthOf(name: string): number | undefined {
  const named = namedMonths.get(name.toLowerCase())
  return named ?? months.find(([pattern]) => pattern.test(name))?.[1]
}

const pad = (value: number, width = 2) => String(value).padStart(width, "0")

/** `YYYY-MM-DD`, or null if there is no such day. */
function day(year: number, month: number, date: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, date))
  const real =
    at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === date
  return real ? `${pad(year, 4)}-${pad(month)}-${pad(date)}` : null
}

function fullYear(text: string): number {
  const year = Number(text)
  if (text.length > 2) return year
  return year < 70 ? 2000 + year : 1900 + year
}

function zoneOffset(zone: string | undefined): string | null {
  if (!zone) return "+0000"
  const named = zones[zone.toLowerCase()]
  if (named) return named
  const match = /^(?:GMT|UTC)?\s*([+-])(\d{1,2}):?(\d{2})?$/i.exec(zone)
  return match ? `${match[1]}${match[2]!.padStart(2, "0")}${match[3] ?? "00"}` : null
}

function moment(
  date: string | null,
  time: string | undefined,
  zone: string | undefined,
): string | null {
  if (!date) return null
  if (!time) return date
  const clock = /^(\d{1,2})[:.h](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?\s*([ap])?\.?m?\.?$/i.exec(
    time,
  )
  const offset = zoneOffset(zone)
  if (!clock || !offset) return date
  let hour = Number(clock[1])
  if (clock[5]) hour = (hour % 12) + (clock[5].toLowerCase() === "p" ? 12 : 0)
  const milliseconds = (clock[4] ?? "").padEnd(3, "0").slice(0, 3) || "000"
  const ofDay = `${pad(hour)}:${clock[2]}:${clock[3] ?? "00"}.${milliseconds}`
  const text = `${date}T${ofDay}${offset.slice(0, 3)}:${offset.slice(3)}`
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? date : at.toISOString()
}

const isoForm = new RegExp(
  [
    String.raw`^(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})`,
    String.raw`(?:(?:T|\s|\s?at\s)?\s?(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)`,
    String.raw`\s*([a-z]{1,4}|(?:GMT|UTC)?\s?[+-]\d{1,2}:?\d{0,2})?)?(?:\[.*\])?$`,
  ].join(""),
  "i",
)
const looseForm =
  /^(\d{4})(?:-|\/|\.\s?)(\d{1,2})(?:-|\/|\.\s?)(\d{1,2})\.?(?:[T ](\d{1,2}:\d{2}(?::\d{2})?)\s*(\S+)?)?$/
const clockForm = [
  String.raw`(?:(?:,|\sat|\sum|\sà|\sa las|\s-)?`,
  String.raw`\s(\d{1,2}[:.h]\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?)`,
  String.raw`\s*(?:Uhr)?\s*((?:GMT|UTC)?[+-]\d{1,2}:?\d{0,2}|[a-z]{1,4})?)?`,
].join("")
const dayFirstForm = new RegExp(
  [
    String.raw`^(\d{1,2})(?:st|nd|rd|th|er|º)?\.?[\s-](?:de\s|of\s)?`,
    String.raw`([\p{L}]+)\.?,?[\s-](?:de\s|del\s)?(\d{4}|\d{2})${clockForm}`,
  ].join(""),
  "iu",
)
const monthFirstForm = new RegExp(
  String.raw`^([\p{L}]+)\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})${clockForm}`,
  "iu",
)

/**
 * A date or time in any of the forms that pages and feeds use, as ISO 8601 UTC with milliseconds;
 * a date without time stays `YYYY-MM-DD`; a time without zone is read as UTC. Null if the text
 * is not a date: never a guess, never now.
 */
export function isoDate(value: unknown): string | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  if (typeof value !== "string") return null
  const text = value
    .trim()
    .replace(/\s+/g, " ")
    .replace(/^(\d{8})T(\d{2})(\d{2})(\d{2})?(?!\d)/, (_, date, hour, minute, second) =>
      [`${date}T${hour}`, minute, second ?? "00"].join(":"),
    )
    .replace(/^(\d{4})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일]/, "$1-$2-$3")
  const iso = isoForm.exec(text)
  if (iso) return moment(day(Number(iso[1]), Number(iso[2]), Number(iso[3])), iso[4], iso[5])
  const loose = looseForm.exec(text)
  if (loose)
    return moment(day(Number(loose[1]), Number(loose[2]), Number(loose[3])), loose[4], loose[5])
  const words = text
    .replace(/^[\p{L}.-]+,\s*/u, "")
    .replace(/^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?\s+/i, "")
  const dayFirst = dayFirstForm.exec(words)
  if (dayFirst) {
    const month = monthOf(dayFirst[2]!)
    return month
      ? moment(day(fullYear(dayFirst[3]!), month, Number(dayFirst[1])), dayFirst[4], dayFirst[5])
      : null
  }
  const monthFirst = monthFirstForm.exec(words)
  if (monthFirst) {
    const month = monthOf(monthFirst[1]!)
    return month
      ? moment(
          day(Number(monthFirst[3]), month, Number(monthFirst[2])),
          monthFirst[4],
          monthFirst[5],
        )
      : null
  }
  // "Sat Dec 14 04:35:55 +0000 2013", as ctime and X write it.
  const ctime =
    /^([\p{L}]+)\s(\d{1,2})\s(\d{1,2}:\d{2}:\d{2})\s(?:([a-z]{1,4}|[+-]\d{4})\s)?(\d{4})$/iu.exec(
      words,
    )
  if (ctime) {
    const month = monthOf(ctime[1]!)
    return month ? moment(day(Number(ctime[5]), month, Number(ctime[2])), ctime[3], ctime[4]) : null
  }
  return null
}

/** A Unix time in seconds, or milliseconds when it is too large for seconds, as ISO 8601 UTC. */
export function isoFromUnix(value: unknown): string | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value
  if (typeof number !== "number" || !Number.isFinite(number)) return null
  const at = new Date(Math.abs(number) > 1e11 ? number : number * 1000)
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}

/** The day of a date or time, `YYYY-MM-DD`. */
export function isoDay(value: unknown): string | null {
  return isoDate(value)?.slice(0, 10) ?? null
}

/** Returns a time in whole seconds: `2023-11-18T19:00:00Z`. A day remains a day. */
export function plainTime(time: string | null): string | null {
  return time?.replace(/\.\d+Z$/, "Z") ?? null
}

/** Longer texts are no date with some words around it. */
const maxDate = 200
const clock = String.raw`(?:,?\s+(?:at\s+|um\s+)?\d{1,2}:\d{2}(?:\s?[ap]\.?m\.?)?)?`
const forms = [
  /\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:\s?(?:Z|[+-]\d{2}:?\d{2}))?)?/,
  new RegExp(
    String.raw`\d{1,2}(?:st|nd|rd|th)?\.?\s(?:de\s|of\s)?\p{L}{3,12}\.?,?\s(?:de\s)?\d{4}${clock}`,
    "u",
  ),
  new RegExp(String.raw`\p{L}{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}${clock}`, "u"),
]

/** Returns the date or time of a short text as ISO 8601; null if it has none, or an ambiguous one. */
export function dateIn(text: string): string | null {
  if (text.length > maxDate) return null
  const whole = isoDate(text)
  if (whole) return whole
  for (const form of forms) {
    const match = form.exec(text)?.[0]
    const date = match ? isoDate(match.replace(/\s(?:at|um)\s/, " ")) : null
    if (date) return date
  }
  return numbered(text)
}

/** `31.12.2026` has its day first; the numbers of `31/12/2026` and `12/31/2026` decide. */
function numbered(text: string): string | null {
  const [, first, sign, second, year, time] =
    /(?<!\d)(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)(?:,?\s+(\d{1,2}:\d{2})(?!\d))?/.exec(text) ??
    []
  if (!first || !second) return null
  const isDayFirst = sign === "." || Number(first) > 12
  if (!isDayFirst && Number(second) <= 12 && first !== second) return null
  const [day, month] = isDayFirst ? [first, second] : [second, first]
  return isoDate(
    `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${time ? ` ${time}` : ""}`,
  )
}
