import { briefText } from "../../../catalogue/kit/index.ts"

const fields = [
  { name: "minute", range: "0-59" },
  { name: "hour", range: "0-23" },
  { name: "day of the month", range: "1-31" },
  { name: "month", range: "1-12 or JAN-DEC" },
  { name: "day of the week", range: "0-7 or SUN-SAT" },
] as const

const unsupported = /^(?:[LW?H]|\d+[LW]|LW)$/i

/** Returns the error of an invalid cron expression: the field, its value and the valid values. */
export function cronIssue(cron: string): string {
  const expression = `"${briefText(cron)}" is not a valid cron expression`
  const values = cron.trim().split(/\s+/)
  if (cron.trim().startsWith("@")) {
    return `${expression}: use @hourly, @daily, @weekly, @monthly or @yearly.`
  }
  if (values.length !== fields.length) {
    return `${expression}: it has ${values.length} fields instead of five: minute, hour, day of the month, month, day of the week.`
  }
  const wrong = values.findIndex((value, index) => !isReadable(value, index))
  const field = fields[wrong]
  if (!field) return `${expression}.`
  const value = briefText(values[wrong]!)
  const hint = unsupported.test(value)
    ? `"${value}" is an extension of other schedulers, which is not supported`
    : `"${value}" is not valid`
  return `${expression}: ${hint} for the ${field.name}. Use *, ${field.range}, lists (1,2), ranges (1-5) and steps (*/2).`
}

/** Whether a field is valid if all other fields are *. */
function isReadable(value: string, index: number): boolean {
  const expression = fields.map((_, at) => (at === index ? value : "*")).join(" ")
  try {
    Bun.cron.parse(expression)
    return true
  } catch {
    return false
  }
}
