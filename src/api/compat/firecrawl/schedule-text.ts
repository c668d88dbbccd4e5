import { ApiError } from "../../http/errors.ts"

const weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
const examples =
  '"every 30 minutes", "hourly", "every 6 hours", "daily at 9:00", "every monday at 9am", or "cron"'

/** Divisors of an hour or a day. Other intervals do not repeat evenly in cron. */
const minuteSteps = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30]
const hourSteps = [1, 2, 3, 4, 6, 8, 12]

/** Returns the cron expression of a schedule in words, as Firecrawl's clients write them. @throws ApiError 400 */
export function cronOfText(text: string): string {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ")
  const cron = everyFew(words) ?? atTime(words)
  if (cron) return cron
  throw new ApiError(
    400,
    `"schedule.text" is not a known schedule: "${text.slice(0, 80)}". Write ${examples}.`,
  )
}

function everyFew(words: string): string | undefined {
  if (/^(?:hourly|(?:every|once an) hour)$/.test(words)) return "0 * * * *"
  const [, written, unit] = /^every (\d{1,3}) ?(minutes?|mins?|m|hours?|hrs?|h)$/.exec(words) ?? []
  if (unit === undefined) return words === "every minute" ? "* * * * *" : undefined
  const count = Number(written)
  if (unit.startsWith("m")) {
    if (count % 60 === 0) return everyHours(count / 60)
    return minuteSteps.includes(count) ? `*/${count} * * * *` : undefined
  }
  return everyHours(count)
}

function everyHours(count: number): string | undefined {
  if (count === 24) return "0 0 * * *"
  return hourSteps.includes(count) ? `0 */${count} * * *` : undefined
}

const timePattern = /^(.*?)(?: at (\d{1,2})(?::(\d{2}))? ?(am|pm)?)?$/

function atTime(words: string): string | undefined {
  const [, when = "", hours = "0", minutes = "0", half] = timePattern.exec(words) ?? []
  const days = daysOf(when)
  const hour = hourOf(Number(hours), half)
  const minute = Number(minutes)
  if (days === undefined || hour === undefined || minute > 59) return undefined
  return `${minute} ${hour} ${days}`
}

function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half === "pm" ? 12 : 0)
}

/** Returns day of the month, month and weekday. */
function daysOf(when: string): string | undefined {
  if (/^(?:daily|every day|once a day)$/.test(when)) return "* * *"
  if (/^(?:weekly|every week|once a week)$/.test(when)) return "* * 1"
  if (/^(?:monthly|every month|once a month)$/.test(when)) return "1 * *"
  if (/^(?:weekdays|every weekday)$/.test(when)) return "* * 1-5"
  const weekday = weekdays.findIndex((name) => when === `every ${name}` || when === `${name}s`)
  return weekday >= 0 ? `* * ${weekday}` : undefined
}
