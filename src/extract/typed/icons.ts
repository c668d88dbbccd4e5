/** The labels that an icon's name or sign means, which pages also write in words. */
const meanings: [names: string, signs: RegExp | null, labels: string[]][] = [
  ["calendar date", /📅|📆|🗓/u, ["date", "posted"]],
  ["clock time hourglass", /[\u{1f550}-\u{1f567}]|⏰|⏱|⌚|⏲/u, ["employment type", "time"]],
  ["map marker pin location geo place", /📍|📌|🗺/u, ["location"]],
  ["phone telephone mobile call", /☎|📞|📱/u, ["phone"]],
  ["envelope mail email", /✉|📧|📩/u, ["email"]],
  ["money euro dollar pound cash wallet salary coins", /💰|💵|💶|💷|💸|💲/u, ["salary", "price"]],
  ["ticket", /🎟|🎫/u, ["price"]],
  ["building company industry", /🏢|🏛|🏭/u, ["company"]],
  ["briefcase suitcase", /💼/u, ["employment type"]],
  ["globe website", /🌐/u, ["website"]],
  ["utensils cutlery servings", /🍽/u, ["servings"]],
]

const byName = new Map(
  meanings.flatMap(([names, , labels]) => names.split(" ").map((name) => [name, labels] as const)),
)
/** Words in names of icons with other meanings: `calendar-check`, `phone-slash`. */
const others = new Set("check slash down up left right".split(" "))

/** Returns the labels of an icon by the words of its classes, such as `fa fa-map-marker`. */
export function labelsOfIcon(names: readonly (readonly string[])[]): readonly string[] | null {
  for (const words of names) {
    if (words.some((word) => others.has(word))) continue
    for (const word of words) {
      const labels = byName.get(word)
      if (labels) return labels
    }
  }
  return null
}

/** Returns the signs in front of values in a line, each with its meaning. */
export function signsIn(line: string): { at: number; end: number; labels: readonly string[] }[] {
  if (!anySign.test(line)) return []
  const matches = [...line.matchAll(/\p{Extended_Pictographic}\ufe0f?/gu)].map((sign) => ({
    at: sign.index,
    end: sign.index + sign[0].length,
    labels: meanings.find(([, signs]) => signs?.test(sign[0]))?.[2] ?? [],
  }))
  return matches
}

const anySign = /\p{Extended_Pictographic}/u
