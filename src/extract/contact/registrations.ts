import { foldSpace, words } from "../core/index.ts"
import { legalForms, registerEntries, vatLabels } from "./words.ts"

const vatNumbers = [
  String.raw`DE\s?\d{3}\s?\d{3}\s?\d{3}`,
  String.raw`ATU\s?\d{8}`,
  String.raw`CHE[-\s]?\d{3}[.\s]?\d{3}[.\s]?\d{3}(?:\s?(?:MWST|TVA|IVA))?`,
  String.raw`GB\s?\d{3}\s?\d{4}\s?\d{2}`,
  String.raw`FR\s?[A-Z\d]{2}\s?\d{3}\s?\d{3}\s?\d{3}`,
  String.raw`BE\s?[01]?\d{3}[.\s]\d{3}[.\s]\d{3}`,
  String.raw`NL\s?\d{4}[.\s]?\d{2}[.\s]?\d{3}[.\s]?B\s?\d{2}`,
  String.raw`(?:DK\s?)?\d{2}\s\d{2}\s\d{2}\s\d{2}`,
  String.raw`(?:PL\s?)?\d{3}-\d{2,3}-\d{2}-\d{2,3}`,
  String.raw`\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}`,
  String.raw`\d{6}-\d{4}`,
  String.raw`[A-Z]{2}\s?[A-Z\d]{8,12}`,
  String.raw`[A-Z]-?\d{7,8}[A-Z]?`,
  String.raw`\d{8,11}`,
]

/** A VAT number with its label, as imprints write it. */
const vat = new RegExp(
  [
    String.raw`(?:${words(vatLabels)})[^\p{L}\d]{0,6}`,
    String.raw`(?:(?:gem|nach)[^:]{0,60}:\s*)?`,
    String.raw`(${vatNumbers.join("|")})(?![\p{L}\d])`,
  ].join(""),
  "iu",
)
/** One with its country can do without a label. */
const plainVat = /\b(DE\s?\d{9}|ATU\s?\d{8}|CHE-\d{3}\.\d{3}\.\d{3})\b/

const register = new RegExp(String.raw`\b(${words(registerEntries)})`, "iu")

/** The VAT number of an imprint, without spaces; null if there is none. */
export function vatIdIn(text: string): string | null {
  const match = vat.exec(text)?.[1] ?? plainVat.exec(text)?.[1]
  if (!match || !/\d{4}/.test(match.replace(/\D/g, ""))) return null
  const written = match.replace(/\s/g, "").toUpperCase()
  return /^(?:BE|NL)/.test(written) ? written.replaceAll(".", "") : written
}

/** The entry in a company register: `HRB 12345`, `FN 123456 a`. */
export function registrationIn(text: string): string | null {
  const match = register.exec(text)?.[1]
  return match ? foldSpace(match) : null
}

const nameWord = String.raw`[\p{Lu}\d][\p{L}\d&.+'’-]*\s(?:(?:&|und|and|für|of|de|der|the|von)\s)?`
const legalName = new RegExp(
  String.raw`(?:^|[\s(©:|,])((?:${nameWord}){1,6}(?:${words(legalForms)}))(?![\p{L}\d])`,
  "u",
)

/** The name of a company with its legal form, in a line of an imprint or a copyright note. */
export function legalNameIn(line: string): string | null {
  const match = legalName.exec(line.slice(0, 300))?.[1]
  return match
    ? foldSpace(
        match.replace(
          /^(?:Copyright|Impressum|Imprint|Anbieter|Firma|©|\d{4}(?:\s*[-–]\s*\d{4})?)\s+/gi,
          "",
        ),
      )
    : null
}
