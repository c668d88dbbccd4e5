import { weekdays } from "./yelp.ts"

type Weekday = (typeof weekdays)[number]

/** Languages of Yelp's hosts, except Czech, whose "so" is a different day from German's. */
const languages = "en da de es fi fr it ja nb nl pl pt sv tr zh".split(" ")
const monday = Date.UTC(2024, 0, 1)

const plain = (name: string) => name.toLowerCase().replace(/\.$/, "")

/** Names and abbreviations. No two languages use one for different days. */
const byName = new Map<string, Weekday>(
  weekdays.flatMap((day, index) =>
    languages.flatMap((language) =>
      (["long", "short"] as const).map((weekday) => {
        const format = new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" })
        return [plain(format.format(monday + index * 86_400_000)), day] as const
      }),
    ),
  ),
)

/** Returns the weekday of "Mon", "Montag", "lun." or "月曜日"; null for other texts. */
export function weekdayOf(text: string): Weekday | null {
  const name = plain(text.trim())
  return byName.get(name) ?? byName.get(name.split(/[\s,(]/)[0]!) ?? null
}
