import { expect, test } from "bun:test"
import { cronOf, inWords, usual } from "../../src/console/data/when.ts"

const stated = [
  ["every minute", "* * * * *"],
  ["every 15 minutes", "*/15 * * * *"],
  ["every hour", "0 * * * *"],
  ["every hour at :20", "20 * * * *"],
  ["every 6 hours", "0 */6 * * *"],
  ["every day at 7:00", "0 7 * * *"],
  ["weekdays at 9:00", "0 9 * * 1-5"],
  ["weekends at 10:30", "30 10 * * 0,6"],
  ["mondays at 8:30", "30 8 * * 1"],
  ["mondays and fridays at 20:00", "0 20 * * 1,5"],
  ["monthly on day 1 at 6:00", "0 6 1 * *"],
] as const

test.each(stated)("%s is %s, and back", (words, cron) => {
  expect(cronOf(words)).toBe(cron)
  expect(inWords(cron)).toBe(words)
})

test("offered times are understood", () => {
  expect(usual.map(cronOf)).not.toContain(undefined)
})

test.each([
  ["Weekdays at 9", "0 9 * * 1-5"],
  ["daily at 12 am", "0 0 * * *"],
  ["on sunday, tue and thursday at 8.15 pm", "15 20 * * 0,2,4"],
  ["every month on the 3rd at noon", "0 12 3 * *"],
  ["daily 7am", "0 7 * * *"],
  ["weekdays 9:30", "30 9 * * 1-5"],
  ["1st of month at 6:00", "0 6 1 * *"],
  ["on the 15th of each month at 6 pm", "0 18 15 * *"],
  ["@daily", "@daily"],
  [" 5 4 * * MON-FRI ", "5 4 * * MON-FRI"],
])("%s is understood too", (words, cron) => {
  expect(cronOf(words)).toBe(cron)
})

// "Every seven minutes" would run four minutes after the last time at each full hour.
test.each([
  "every 7 minutes",
  "weekdays at 25:00",
  "someday at 9",
  "monthly on day 32 at 6",
  "at 9",
  "",
])("%p is not a time", (words) => {
  expect(cronOf(words)).toBeUndefined()
})

test.each([
  ["0 9 * * MON-FRI", "weekdays at 9:00"],
  ["30 8 * * 7", "sundays at 8:30"],
  ["@hourly", "every hour"],
  ["*/7 * * * *", "*/7 * * * *"],
  ["0 9 1 1 *", "0 9 1 1 *"],
  ["0 9 1 * 1", "0 9 1 * 1"],
  ["0 9-17 * * 1-5", "0 9-17 * * 1-5"],
])("%s reads %s", (cron, words) => {
  expect(inWords(cron)).toBe(words)
})
