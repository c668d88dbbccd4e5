import { foldSpace } from "./text.ts"

const maxLength = 80

/** Words that stand before a name in a byline or the text of a link to its author. */
const leading =
  /^(?:(?:(?:written|posted|published|reviewed|edited|story|words|review|article|photographs?|photos?) by|by|von|par|por|di|de|door|af|av|autor(?:in|en|a)?|author|auteure?|autore|text(?: von| by)?|fotos?|redakteur(?:in)?|journalist(?:in)?|gastautor(?:in)?|(?:view|see|show|read) (?:all )?(?:posts|articles|stories) (?:by|from)|(?:more|all|other) (?:posts|articles|stories)? ?(?:by|from)|posts by|articles by|(?:zeige )?(?:alle|mehr|weitere) (?:beiträge|artikel|texte|posts)? ?von|alles von|mehr von|autorenseite von|autorenprofil von|toutes? (?:les|ses) articles de|ver todos los artículos de|todos los artículos de|más de|\S*(?:experte|expertin|korrespondent|reporter)(?:in)?)\s*[:：]?\s+)+/iu

const labels =
  /^(?:by|von|author|authors|admin|administrator|editor|editors|staff|guest|guest author|follow author|published by|posted by|webmaster|unknown|anonymous|no author|null|undefined|none|n\/a|個人|profile|share|more|(?:view |see |show |zeige )?(?:all|alle|mehr|weitere)(?: posts| articles| beiträge| artikel)?|(?:view|see) profile|about the author|über den autor|contributor|contributors)$/iu

const trailing =
  /\s*(?:[([|•·–—].*|\b(?:\d{4}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}|\d{1,2}\.? \p{L}+ \d{4}|(?:january|february|march|april|june|july|august|september|october|november|december) \d|ago\b|min read|updated|published|posted|(?:am|um|on|at|le|el) (?:\d|um|at|the|mon|tue|wed|thu|fri|sat|sun)|for (?:the |mailonline|daily|reuters|cnn)|shares?$|follow\b|@\w+|illustration(?:en)? von|foto(?:s)? (?:von|:)|(?:view |see |show |zeige )?(?:all|alle|mehr|more) (?:posts|articles|artikel|beiträge)\b).*)$/iu

const roles =
  /\b(?:writer|editor|reporter|correspondent|contributor|journalist|producer|columnist|ph\.?d|llc|redakteur(?:in)?|journaliste|editora?|photographer|ceo|cto|founder|professor|director|projektleiter(?:in)?|staff writer|news desk|korrespondent(?:in)?)\b/iu

/** The names in a byline: "By Ann Lee and Bo Ek, Staff Writer | 4 May" gives Ann Lee and Bo Ek. */
export function namesIn(written: string): string[] {
  const text = foldSpace(written.replace(/^\s*@/, ""))
  if (text === "" || text.length > maxLength * 4 || /^(?:https?:)?\/\//i.test(text)) return []
  if (labels.test(text)) return []
  return text
    .replace(/^By(?=\p{Lu}\p{Ll})/u, "")
    .replace(leading, "")
    .split(/\s*(?:,|;|\/|&|\s(?:and|und|et|y|e|och|og|en|with|mit)\s)\s*/iu)
    .map(cleanName)
    .filter((name) => name !== "")
}

function cleanName(part: string): string {
  const name = part
    .replace(leading, "")
    .replace(trailing, "")
    .replace(/^[\s\-–—:.,|*]+|[\s\-–—:,|*]+$/g, "")
  if (name.length > maxLength || !/\p{L}/u.test(name) || /[<>{}=@]|https?:/i.test(name)) return ""
  return labels.test(name) || roles.test(name) ? "" : name
}

const particle =
  "(?:de|del|della|di|da|van|von|der|den|dem|la|le|el|al|bin|ibn|y|e|dos|das|zu|zur|ter|ten)"
const word = "\\p{Lu}[\\p{L}'’.-]*"
const person = new RegExp(
  `^(?:(?:Dr|Prof|Mag|Mr|Mrs|Ms|Sir|Dame)\\.?\\s+)*${word}(?:\\s+(?:${particle}\\s+){0,2}${word}){1,3}$`,
  "u",
)

/** Whether a text looks like the full name of a person: two to four words with capitals. */
export const isPersonName = (text: string) => text.length <= 50 && person.test(text)

/** Words of the names of companies, papers and offices. */
const organisation =
  /\b(?:e\.?\s?v\.?|gmbh|ag|inc|llc|ltd|corp|verlag|stiftung|verband|verein|bund|foundation|association|institute?|universit\p{L}+|ministerium|agentur|agency|press|presse|news|newsroom|newspaper|zeitung|magazin|magazine|journal|media|medien|redaktion|redaktionsteam|team|desk|staff|blog|online|club|group|gruppe|company|community)\b|^(?:die|der|das|the|la|le|el|il|los|les)\s/iu

/** Whether a name is that of a person for all that it shows; companies and papers are none. */
export const isOrganisation = (name: string) => organisation.test(name)

/** A login or handle, initials: it names an author only where nothing else does. */
export const isHandle = (name: string) =>
  !/\s/.test(name) && (/^[\p{Ll}\d_.-]+$/u.test(name) || /_/.test(name) || name.length <= 2)
