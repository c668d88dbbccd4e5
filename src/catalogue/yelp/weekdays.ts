import { weekdays } from "./yelp.ts"

type Weekday = (typeof weekdays)[number]

/** The languages of Yelp's hosts, but for Czech, whose "so" is another day than German's. */
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

/** "Mon", "Montag", "lun." or "月曜日"; null for what is not a weekday. */
export function weekdayOf(text: string): Weekday | null {
  const name = plain(text.trim())
  return byName.get(name) ?? byName.get(name.split(/[\s,(]/)[0]!) ?? null
}
