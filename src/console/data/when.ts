/** Converts between times in words and cron expressions. */

const names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
const short = names.map((name) => name.slice(0, 3))

const known: Record<string, string> = {
  "every minute": "* * * * *",
  "every hour": "0 * * * *",
  hourly: "0 * * * *",
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
}

/** The suggested times. */
export const usual = [
  "every 15 minutes",
  "every hour",
  "every 6 hours",
  "every day at 7:00",
  "weekdays at 9:00",
  "mondays at 8:30",
  "monthly on day 1 at 6:00",
]

/** Returns the cron expression for words or for a cron expression; undefined if it cannot be read. */
export function cronOf(text: string): string | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ")
  if (words.startsWith("@") || /^[\d*][^a-z]* (?:[^ ]+ ){3}[^ ]+$/.test(words)) return text.trim()
  return known[words] ?? stepOf(words) ?? timeOf(words)
}

/** "every 15 minutes", "every hour at :20". */
function stepOf(words: string): string | undefined {
  const [, past] = /^every hour at :([0-5]\d)$/.exec(words) ?? []
  if (past) return `${Number(past)} * * * *`
  const [, count, unit] = /^every (\d+) (minutes?|hours?)$/.exec(words) ?? []
  const whole = unit?.startsWith("minute") ? 60 : 24
  // Steps that do not divide the hour or day occur at irregular intervals, which the words would
  // not express.
  if (!count || !unit || Number(count) === 0 || whole % Number(count) !== 0) return undefined
  if (Number(count) === whole) return whole === 60 ? "0 * * * *" : "0 0 * * *"
  return whole === 60 ? `*/${Number(count)} * * * *` : `0 */${Number(count)} * * *`
}

/** "weekdays at 9:00", "mondays and fridays at 8:30 pm", "monthly on day 1 at 6". */
function timeOf(words: string): string | undefined {
  const [, when = "", hourText, minuteText = "0", half] =
    /^(.+?)(?: at)? (\d{1,2})(?:[:.](\d\d))? ?(am|pm)?$/.exec(
      words.replace(/ at noon$/, " at 12"),
    ) ?? []
  const [provided, minute] = [Number(hourText), Number(minuteText)]
  const hour = half ? (provided % 12) + (half === "pm" ? 12 : 0) : provided
  if (hourText === undefined || hour > 23 || minute > 59) return undefined
  const days = daysOf(when)
  return days && `${minute} ${hour} ${days}`
}

/** Returns day of the month, month and day of the week. */
function daysOf(words: string): string | undefined {
  if (/^(?:every day|daily)$/.test(words)) return "* * *"
  if (/^(?:on )?(?:every )?weekdays?$/.test(words)) return "* * 1-5"
  if (/^(?:on )?(?:every )?weekends?$/.test(words)) return "* * 0,6"
  const [, day] =
    /^(?:monthly|every month) on (?:day |the )?(\d{1,2})(?:st|nd|rd|th)?$/.exec(words) ??
    /^(?:on )?(?:the )?(\d{1,2})(?:st|nd|rd|th) of (?:the |each |every )?month$/.exec(words) ??
    []
  if (day) return Number(day) >= 1 && Number(day) <= 31 ? `${Number(day)} * *` : undefined
  const dayNames = words.replace(/^(?:on |every )+/, "").split(/,? and |, ?| /)
  const days = dayNames.map((word) => short.indexOf(word.slice(0, 3)))
  const areDays = dayNames.every((word, index) =>
    names[days[index]!]?.startsWith(word.replace(/s$/, "")),
  )
  return areDays ? `* * ${[...new Set(days)].sort((a, b) => a - b)}` : undefined
}

/** Returns a cron expression in words that `cronOf` reads, or the expression if there are none. */
export function inWords(cron: string): string {
  const fields = (known[cron.toLowerCase()] ?? cron).toLowerCase().split(/\s+/)
  const [minute = "", hour = "", day, month, weekday = ""] = fields
  if (fields.length !== 5 || month !== "*") return cron
  if (hour === "*" && day === "*" && weekday === "*") return inHours(minute) ?? cron
  const [, hours] = /^\*\/(\d+)$/.exec(hour) ?? []
  if (hours && minute === "0" && day === "*" && weekday === "*" && 24 % Number(hours) === 0) {
    return `every ${hours} hours`
  }
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour)) return cron
  const time = `at ${hour}:${minute.padStart(2, "0")}`
  if (day !== "*")
    return weekday === "*" && /^\d+$/.test(day!) ? `monthly on day ${day} ${time}` : cron
  const days = weekdayWords(weekday)
  return days ? `${days} ${time}` : cron
}

function inHours(minute: string): string | undefined {
  if (minute === "*") return "every minute"
  if (minute === "0") return "every hour"
  const [, step] = /^\*\/(\d+)$/.exec(minute) ?? []
  if (step) return 60 % Number(step) === 0 ? `every ${step} minutes` : undefined
  return /^\d+$/.test(minute) ? `every hour at :${minute.padStart(2, "0")}` : undefined
}

function weekdayWords(field: string): string | undefined {
  if (field === "*") return "every day"
  if (field === "1-5" || field === "mon-fri") return "weekdays"
  if (field === "0,6" || field === "6,0" || field === "sat,sun") return "weekends"
  const days = field.split(",").map((day) => {
    const index = short.indexOf(day)
    return names[index >= 0 ? index : /^[0-7]$/.test(day) ? Number(day) % 7 : -1]
  })
  return days.every(Boolean) ? days.map((day) => `${day}s`).join(" and ") : undefined
}
