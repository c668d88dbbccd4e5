const named: Record<string, string> = {
  aqua: "#00FFFF",
  black: "#000000",
  blue: "#0000FF",
  crimson: "#DC143C",
  cyan: "#00FFFF",
  fuchsia: "#FF00FF",
  gold: "#FFD700",
  gray: "#808080",
  green: "#008000",
  grey: "#808080",
  indigo: "#4B0082",
  lime: "#00FF00",
  magenta: "#FF00FF",
  maroon: "#800000",
  navy: "#000080",
  olive: "#808000",
  orange: "#FFA500",
  pink: "#FFC0CB",
  purple: "#800080",
  red: "#FF0000",
  silver: "#C0C0C0",
  steelblue: "#4682B4",
  teal: "#008080",
  tomato: "#FF6347",
  white: "#FFFFFF",
  yellow: "#FFFF00",
}

type Rgb = [red: number, green: number, blue: number]

const hex = (rgb: readonly number[]) =>
  `#${rgb
    .map((part) =>
      Math.min(255, Math.max(0, Math.round(part)))
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")
    .toUpperCase()}`

const number = "(-?[\\d.]+)(%|deg)?"
const gap = "[\\s,]+"
const functional = new RegExp(
  `(rgb|hsl)a?\\(\\s*${number}${gap}${number}${gap}${number}(?:[\\s,/]+([\\d.]+)(%)?)?\\s*\\)`,
  "i",
)
const maxCharacters = 300

/** The first colour of a value as `#RRGGBB`; null if it has none, or one that is nearly transparent. */
export function colorIn(value: string): string | null {
  const text = value.slice(0, maxCharacters).trim()
  const [, digits] = /#([\da-f]{8}|[\da-f]{6}|[\da-f]{3,4})\b/i.exec(text) ?? []
  if (digits !== undefined) return fromDigits(digits)
  const called = functional.exec(text)
  if (called) return fromCall(called)
  const word = text
    .toLowerCase()
    .split(/[\s,(]/)
    .find((one) => Object.hasOwn(named, one))
  return word === undefined ? null : named[word]!
}

function fromDigits(digits: string): string | null {
  const long = digits.length <= 4 ? digits.replace(/./g, "$&$&") : digits
  if (long.length === 8 && Number.parseInt(long.slice(6), 16) < 128) return null
  return `#${long.slice(0, 6).toUpperCase()}`
}

function fromCall(called: RegExpExecArray): string | null {
  const [, kind, one, unit, two, , three, , alpha, alphaUnit] = called
  const opacity = alpha === undefined ? 1 : Number(alpha) / (alphaUnit ? 100 : 1)
  if (!(opacity >= 0.5)) return null
  const parts = [Number(one), Number(two), Number(three)] as const
  if (parts.some(Number.isNaN)) return null
  if (kind!.toLowerCase() === "hsl") return hex(fromHsl(parts[0], parts[1] / 100, parts[2] / 100))
  return hex(unit === "%" ? parts.map((part) => (part * 255) / 100) : parts)
}

function fromHsl(hue: number, saturation: number, lightness: number): Rgb {
  const chroma = saturation * Math.min(lightness, 1 - lightness)
  const part = (offset: number) => {
    const position = (offset + hue / 30) % 12
    return 255 * (lightness - chroma * Math.max(-1, Math.min(position - 3, 9 - position, 1)))
  }
  return [part(0), part(8), part(4)]
}

const rgbOf = (color: string): Rgb => [
  Number.parseInt(color.slice(1, 3), 16),
  Number.parseInt(color.slice(3, 5), 16),
  Number.parseInt(color.slice(5, 7), 16),
]

export function isDark(color: string): boolean {
  const [red, green, blue] = rgbOf(color)
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128
}

/** Returns whether it is neither grey nor nearly black or white. */
export function isVivid(color: string): boolean {
  const rgb = rgbOf(color)
  return Math.max(...rgb) - Math.min(...rgb) >= 48
}
