import { foldSpace, words } from "../core/index.ts"

/** A VAT number with its label, as imprints write it. */
const vatLabel =
  "(?:USt\\.?-?\\s?Id(?:\\.?-?\\s?Nr\\.?|entifikationsnummer)?|Umsatzsteuer-?\\s?(?:Identifikationsnummer|ID)|UID(?:-?\\s?Nr\\.?)?|VAT(?:\\s?(?:ID|No\\.?|number|Reg(?:istration)?\\.?(?:\\s?(?:No\\.?|number))?))?|TVA(?:\\s?intracommunautaire)?|P(?:artita|\\.)\\s?I(?:VA|\\.V\\.A\\.)|C\\.?F\\.?\\s?(?:e|/)\\s?P\\.?\\s?IVA|CIF|NIF|N\\.I\\.F\\.|BTW(?:-?\\s?(?:nummer|nr))?|DIČ|IČ DPH|NIP|CVR|MOMS|Org\\.?\\s?nr)"
const vatNumber =
  "((?:DE\\s?\\d{3}\\s?\\d{3}\\s?\\d{3})|(?:ATU\\s?\\d{8})|(?:CHE[-\\s]?\\d{3}[.\\s]?\\d{3}[.\\s]?\\d{3}(?:\\s?(?:MWST|TVA|IVA))?)|(?:GB\\s?\\d{3}\\s?\\d{4}\\s?\\d{2})|(?:[A-Z]{2}\\s?[A-Z\\d]{8,12})|(?:[A-Z]-?\\d{7,8}[A-Z]?)|(?:\\d{8,11}))"
const vat = new RegExp(
  `${vatLabel}[^\\p{L}\\d]{0,6}(?:(?:gem|nach)[^:]{0,60}:\\s*)?${vatNumber}(?![\\p{L}\\d])`,
  "iu",
)
/** One with its country can do without a label. */
const bareVat = /\b(DE\s?\d{9}|ATU\s?\d{8}|CHE-\d{3}\.\d{3}\.\d{3})\b/

const register = new RegExp(
  String.raw`\b(${words(
    String.raw`HR\s?[AB](?:-?\s?(?:Nr|Nummer)\.?)?:?\s?\d{2,6}(?:[^\S\n]?[A-Z](?![\p{L}\d]))?`,
    String.raw`FN\s?\d{5,6}\s?[a-z]`,
    String.raw`(?:Company|Registration|Registered)\s(?:Reg(?:istration)?\.?\s)?(?:No\.?|Number)[:.\s]*[A-Z]{0,2}\d{6,8}`,
    String.raw`SIRE[NT]\s?:?\s?\d[\d\s]{8,16}\d|RCS\s\p{L}+\s(?:B\s)?\d{3}\s?\d{3}\s?\d{3}`,
    String.raw`REA\s?:?\s?[A-Z]{2}[-\s]?\d{5,7}|KvK(?:-?\s?(?:nummer|nr))?[:.\s]*\d{8}|IČO?\s?:?\s?\d{8}`,
    String.raw`KRS\s?:?\s?\d{10}`,
  )})`,
  "iu",
)

/** The VAT number of an imprint, without spaces; null when there is none. */
export function vatIdIn(text: string): string | null {
  const found = vat.exec(text)?.[1] ?? bareVat.exec(text)?.[1]
  return found && /\d{4}/.test(found.replace(/\D/g, ""))
    ? found.replace(/\s/g, "").toUpperCase()
    : null
}

/** The entry in a company register: `HRB 12345`, `FN 123456 a`. */
export function registrationIn(text: string): string | null {
  const found = register.exec(text)?.[1]
  return found ? foldSpace(found) : null
}

const legalForms =
  "GmbH(?:\\s?&\\s?Co\\.?\\s?KGa?A?)?|gGmbH|UG \\(haftungsbeschränkt\\)|AG|KGaA|KG|OHG|e\\.\\s?V\\.|e\\.\\s?K\\.|SE|Ltd\\.?|Limited|LLC|L\\.L\\.C\\.|LLP|PLC|plc|Inc\\.?|Corp\\.?|Corporation|S\\.?r\\.?l\\.?|S\\.?p\\.?A\\.?|SAS|SARL|S\\.?A\\.?|S\\.?L\\.?|B\\.?V\\.?|N\\.?V\\.?|Oy|Oyj|AB|ApS|A/S|AS|Pty(?:\\.? Ltd\\.?)?|s\\.r\\.o\\.|a\\.s\\.|Sp\\. z o\\.?\\s?o\\.?|Kft\\.?|d\\.o\\.o\\.|SIA|UAB|OÜ"
const legalName = new RegExp(
  `(?:^|[\\s(©:|,])((?:[\\p{Lu}\\d][\\p{L}\\d&.+'’-]*\\s(?:(?:&|und|and|für|of|de|der|the|von)\\s)?){1,6}(?:${legalForms}))(?![\\p{L}\\d])`,
  "u",
)

/** The name of a company with its legal form, in a line of an imprint or a copyright note. */
export function legalNameIn(line: string): string | null {
  const found = legalName.exec(line.slice(0, 300))?.[1]
  return found
    ? foldSpace(
        found.replace(
          /^(?:Copyright|Impressum|Imprint|Anbieter|Firma|©|\d{4}(?:\s*[-–]\s*\d{4})?)\s+/gi,
          "",
        ),
      )
    : null
}
