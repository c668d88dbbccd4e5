import { wordSet } from "../core/index.ts"

/** Patterns of organisations' email addresses, the likeliest first; confidence out of 100. */
export const emailPatterns: { pattern: string; confidence: number }[] = [
  { pattern: "{first}.{last}", confidence: 50 },
  { pattern: "{f}{last}", confidence: 35 },
  { pattern: "{first}", confidence: 30 },
  { pattern: "{first}{last}", confidence: 25 },
  { pattern: "{f}.{last}", confidence: 20 },
  { pattern: "{last}", confidence: 15 },
  { pattern: "{first}_{last}", confidence: 12 },
  { pattern: "{first}{l}", confidence: 10 },
  { pattern: "{last}.{first}", confidence: 8 },
  { pattern: "{last}{f}", confidence: 6 },
  { pattern: "{first}-{last}", confidence: 5 },
]

/** Words before a last name that belong to it. */
const particles = wordSet(`
  von van de da di del della der den dem du la le bin ibn al el zu zum zur af av ter ten dos das
`)
const titles = /^(?:dr|prof|mag|ing|dipl|mr|mrs|ms|herr|frau|sir|dipl\.?-ing)\.?$/i

export interface NameParts {
  first: string
  last: string
}

/** First and last name in the spellings that addresses use, the usual one first. */
export function nameParts(fullName: string): NameParts[] {
  const words = fullName
    .trim()
    .split(/[\s,]+/)
    .filter((word) => word !== "" && !titles.test(word))
  if (words.length === 0) return []
  const [first] = words
  let start = words.length - 1
  while (start > 1 && particles.has(words[start - 1]!.toLowerCase())) start--
  const withParticles = words.length > 1 ? words.slice(start).join("") : ""
  const plainLast = words.length > 1 ? words.at(-1)! : ""
  const spellings: NameParts[] = []
  for (const last of [withParticles, plainLast]) {
    for (const spell of [germanSpelling, plainSpelling]) {
      const parts = { first: spell(first!), last: spell(last) }
      spellings.push(parts, {
        first: parts.first.replaceAll("-", ""),
        last: parts.last.replaceAll("-", ""),
      })
    }
  }
  const seen = new Set<string>()
  return spellings.filter(({ first, last }) => {
    const key = `${first} ${last}`
    return first !== "" && !seen.has(key) && seen.add(key) !== undefined
  })
}

/** The addresses that a pattern makes of a name, without host. */
export function localPart(pattern: string, { first, last }: NameParts): string | null {
  if (last === "" && pattern.includes("{l")) return null
  return pattern
    .replace("{first}", first)
    .replace("{last}", last)
    .replace("{f}", first[0]!)
    .replace("{l}", last[0] ?? "")
}

/** The pattern of an address that is known to be this person's; null if it follows none. */
export function patternOf(email: string, fullName: string): string | null {
  const local = email.split("@")[0]!.toLowerCase()
  const spellings = nameParts(fullName)
  const match = emailPatterns.find(({ pattern }) =>
    spellings.some((parts) => localPart(pattern, parts) === local),
  )
  return match?.pattern ?? null
}

/** Returns the pattern that a personal address shows without the person's name. */
export function patternByShape(email: string): string | null {
  const local = email.split("@")[0]!.toLowerCase()
  if (/^\p{L}\.[\p{L}-]{2,}$/u.test(local)) return "{f}.{last}"
  if (/^[\p{L}-]{2,}\.[\p{L}-]{2,}$/u.test(local)) return "{first}.{last}"
  return /^\p{L}{2,}_\p{L}{2,}$/u.test(local) ? "{first}_{last}" : null
}

const germanLetters: Record<string, string> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  ø: "oe",
  å: "aa",
  æ: "ae",
}
const plainLetters: Record<string, string> = {
  ß: "ss",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  æ: "ae",
  œ: "oe",
  ı: "i",
}

const germanSpelling = (name: string) =>
  plainSpelling(name.toLowerCase().replace(/[äöüßøåæ]/g, (letter) => germanLetters[letter]!))

function plainSpelling(name: string): string {
  return name
    .toLowerCase()
    .replace(/[ßøłđðþæœı]/g, (letter) => plainLetters[letter]!)
    .normalize("NFD")
    .replace(/[^a-z\d-]/g, "")
}
