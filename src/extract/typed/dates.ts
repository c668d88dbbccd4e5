const maxAround = 500
const daysWord = "d|days?|tage?|jours?|días?|giorni"
const hoursWord =
  "h|hrs?|hours?|stunden?|std\\.?|heures?|horas?|or[ae]|uur|uren|timer?|timmar|timme|tim\\.?|godz\\w*\\.?|óra|hod\\w*|saat|час\\w*|ч|tuntia?"
const minutesWord =
  "m|min|mins|minutes?|minuten|minutos?|minut[io]|minut(?:er|ter|y|a)?|perc|dakika|dk|мин\\w*|minuuttia"
const secondsWord = "s|sec(?:onds?)?|sek(?:unden)?"
/** The unit may be repeated for screen readers: `20 minutes mins`. */
const part = (word: string) => String.raw`(?:(\d+)\s?(?:${word})(?:\s(?:${word}))?(?![\p{L}])\.?)?`
const joint = String.raw`,?\s?(?:and |und |et |y |e )?`
const span = [daysWord, hoursWord, minutesWord, secondsWord].map(part).join(joint)
const wholeSpan = new RegExp(
  String.raw`^(?:about |approx\.? |ca\.? |env\.? |circa |±\s?|~\s?)?${span}$`,
  "iu",
)
const anySpan = new RegExp(String.raw`(?<![\d.,:/–-])(?=\d+\s?\p{L})${span}`, "giu")

/** Returns the minutes of `PT1H30M`, `1 h 30 min`, `90 minutes`; null for other texts. */
export function durationMinutes(text: string): number | null {
  const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/i.exec(text)
  return minutesOf(iso ?? wholeSpan.exec(withUnit(text)))
}

/** `1h30` and `1 h 05` leave the minutes' unit out. */
const withUnit = (text: string) =>
  text.replace(/(\d)\s?h\s?(\d{2})(?![\d\p{L}]|\s?(?:m|′))/giu, "$1 h $2 min")

/** The first span of time in a short text: `Prep: 20 min, plus cooling`. */
export function durationIn(text: string): number | null {
  if (text.length > maxAround) return null
  for (const match of withUnit(text).matchAll(anySpan)) {
    const minutes = minutesOf(match)
    if (minutes !== null) return minutes
  }
  return null
}

function minutesOf(match: RegExpExecArray | RegExpMatchArray | null): number | null {
  const [, days, hours, minutes, seconds] = match ?? []
  if ((days ?? hours ?? minutes ?? seconds) === undefined) return null
  return (
    Number(days ?? 0) * 1440 +
    Number(hours ?? 0) * 60 +
    Number(minutes ?? 0) +
    Number(seconds ?? 0) / 60
  )
}
