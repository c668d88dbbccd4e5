import { isoDate } from "../core/index.ts"

/** Longer texts are no date with some words around it. */
const longest = 200
const clock = String.raw`(?:,?\s+(?:at\s+|um\s+)?\d{1,2}:\d{2}(?:\s?[ap]\.?m\.?)?)?`
const forms = [
  /\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:\s?(?:Z|[+-]\d{2}:?\d{2}))?)?/,
  new RegExp(
    String.raw`\d{1,2}(?:st|nd|rd|th)?\.?\s(?:de\s|of\s)?\p{L}{3,12}\.?,?\s(?:de\s)?\d{4}${clock}`,
    "u",
  ),
  new RegExp(String.raw`\p{L}{3,12}\.?\s\d{1,2}(?:st|nd|rd|th)?,?\s\d{4}${clock}`, "u"),
]

/** The date or time in a short text, as ISO 8601; null where there is none, or it can be read in two ways. */
export function dateIn(text: string): string | null {
  if (text.length > longest) return null
  const whole = isoDate(text)
  if (whole) return whole
  for (const form of forms) {
    const found = form.exec(text)?.[0]
    const date = found ? isoDate(found.replace(/\s(?:at|um)\s/, " ")) : null
    if (date) return date
  }
  return numbered(text)
}

/** `31.12.2026` has its day first; `31/12/2026` and `12/31/2026` tell by their numbers. */
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

const longestAround = 500
const daysWord = "d|days?|tage?|jours?|días?|giorni"
const hoursWord =
  "h|hrs?|hours?|stunden?|std\\.?|heures?|horas?|or[ae]|uur|uren|timer?|timmar|timme|tim\\.?|godz\\w*\\.?|óra|hod\\w*|saat|час\\w*|ч|tuntia?"
const minutesWord =
  "m|min|mins|minutes?|minuten|minutos?|minut[io]|minut(?:er|ter|y|a)?|perc|dakika|dk|мин\\w*|minuuttia"
const secondsWord = "s|sec(?:onds?)?|sek(?:unden)?"
/** The unit may be said twice, for eyes and for readers of screens: `20 minutes mins`. */
const part = (word: string) => String.raw`(?:(\d+)\s?(?:${word})(?:\s(?:${word}))?(?![\p{L}])\.?)?`
const joint = String.raw`,?\s?(?:and |und |et |y |e )?`
const span = [daysWord, hoursWord, minutesWord, secondsWord].map(part).join(joint)
const wholeSpan = new RegExp(
  String.raw`^(?:about |approx\.? |ca\.? |env\.? |circa |±\s?|~\s?)?${span}$`,
  "iu",
)
const anySpan = new RegExp(String.raw`(?<![\d.,:/–-])(?=\d+\s?\p{L})${span}`, "giu")

/** `PT1H30M`, `1 h 30 min`, `90 minutes`; null for what is no span of time. */
export function durationMinutes(text: string): number | null {
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(text)
  return minutesOf(iso ?? wholeSpan.exec(withUnit(text)))
}

/** `1h30` and `1 h 05` leave the minutes' unit out. */
const withUnit = (text: string) =>
  text.replace(/(\d)\s?h\s?(\d{2})(?![\d\p{L}]|\s?(?:m|′))/giu, "$1 h $2 min")

/** The first span of time in a short text: `Prep: 20 min, plus cooling`. */
export function durationIn(text: string): number | null {
  if (text.length > longestAround) return null
  for (const found of withUnit(text).matchAll(anySpan)) {
    const minutes = minutesOf(found)
    if (minutes !== null) return minutes
  }
  return null
}

function minutesOf(found: RegExpExecArray | RegExpMatchArray | null): number | null {
  const [, days, hours, minutes, seconds] = found ?? []
  if ((days ?? hours ?? minutes ?? seconds) === undefined) return null
  return (
    Number(days ?? 0) * 1440 +
    Number(hours ?? 0) * 60 +
    Number(minutes ?? 0) +
    Number(seconds ?? 0) / 60
  )
}
