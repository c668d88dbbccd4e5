import { foldSpace, words } from "../../core/index.ts"
import { labels, leading, organisation, roles, trailing, university } from "./byline-words.ts"
import { particles } from "./words.ts"

const maxNameChars = 80

/** The names in a byline: "By Ann Lee and Bo Ek, Staff Writer | 4 May" gives Ann Lee and Bo Ek. */
export function namesIn(written: string): string[] {
  const text = foldSpace(written.replace(/^\s*@/, ""))
  if (text === "" || text.length > maxNameChars * 4 || /^(?:https?:)?\/\//i.test(text)) return []
  if (labels.test(text)) return []
  return text
    .replace(/^By(?=\p{Lu}\p{Ll})/u, "")
    .replace(leading, "")
    .split(/\s*(?:,|;|\s\/|\/\s|&|\s(?:and|und|et|y|e|och|og|en|with|mit)\s)\s*/iu)
    .flatMap(splitAtSlash)
    .map(cleanName)
    .filter((name) => name !== "")
}

const agency = /^(?:\p{Lu}{2,6}|dpa|afp|apa|ansa|efe|epd|kna|sda)$/u

/** "Ann Lee/Bo Ek" names two people; "AFP/The Local" is one credit of an agency and a paper. */
function splitAtSlash(text: string): string[] {
  if (!text.includes("/")) return [text]
  const parts = text.split("/")
  const isCredit = parts.every(
    (part, at) => agency.test(part) || isOrganisation(part) || /^the\s/i.test(part) || at > 0,
  )
  return isCredit && parts.some((part) => agency.test(part)) ? [text] : parts
}

/** A name with its copy for those who cannot see it. */
const twice = /^(.{4,})\s?\1$/u

/** Prepositions before a day in an element of its own. */
const beforeDay = /\s(?:on|at|am|um|le|el)$/u

/** "Ann Lee - Paper Contributor". */
function withoutRole(name: string): string {
  const [first, ...rest] = name.split(/\s+-\s+/)
  return roles.test(rest.join(" ")) ? first! : name
}

function cleanName(part: string): string {
  const name = withoutRole(part.replace(leading, "").replace(trailing, ""))
    .replace(/^[\s\-–—:.,|*]+|[\s\-–—:,|*]+$/g, "")
    .replace(/(?<=\p{Ll}{3})\.$/u, "")
    .replace(twice, "$1")
    .replace(beforeDay, "")
  if (name.length > maxNameChars || !/\p{L}/u.test(name) || /[<>{}=@]|https?:/i.test(name))
    return ""
  return labels.test(name) || roles.test(name) ? "" : name
}

const particle = `(?:${words(particles)})`
const word = String.raw`\p{Lu}[\p{L}'’.-]*`
const honorifics = "Dr|Prof|Mag|Mr|Mrs|Ms|Sir|Dame"
const person = new RegExp(
  String.raw`^(?:(?:${honorifics})\.?\s+)*${word}(?:\s+(?:${particle}\s+){0,2}${word}){1,3}$`,
  "u",
)

/** A short name in a script without case, such as Chinese; only its place shows that it is one. */
export const isCaseless = (name: string) => /^\p{Lo}{2,12}(?:\s\p{Lo}{2,12}){0,3}$/u.test(name)

/** Returns whether a text looks like the full name of a person: two to four words with capitals. */
export const isPersonName = (text: string) =>
  text.length <= 50 && /\s/.test(text) && person.test(text)

/** Returns whether a name is that of a company, a paper or an office. */
export const isOrganisation = (name: string) => organisation.test(name) || university.test(name)

/** Returns whether a text looks like a person's name and not like an organisation's. */
export const isPerson = (name: string) => isPersonName(name) && !isOrganisation(name)

/** Returns whether a name is a handle or initials, which count as the author only if no name does. */
export const isHandle = (name: string) =>
  !/\s/.test(name) && (/^[\p{Ll}\d_.-]+$/u.test(name) || /_/.test(name) || name.length <= 2)
