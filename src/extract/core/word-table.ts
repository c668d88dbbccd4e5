/** ISO 639-1; `any` for words that no one language owns. */
type Language =
  | "any"
  | "ar"
  | "bg"
  | "cs"
  | "da"
  | "de"
  | "el"
  | "en"
  | "es"
  | "et"
  | "fi"
  | "fr"
  | "he"
  | "hr"
  | "hu"
  | "id"
  | "is"
  | "it"
  | "ja"
  | "ko"
  | "lt"
  | "lv"
  | "nb"
  | "nl"
  | "pl"
  | "pt"
  | "ro"
  | "ru"
  | "sk"
  | "sl"
  | "sv"
  | "th"
  | "tr"
  | "uk"
  | "vi"
  | "zh"

/**
 * Words of one meaning by language, separated by `|`, on any number of lines. Words of regular
 * expressions may have endings and groups: `articles?|(?:read|see) more`.
 */
export type WordTable = Readonly<Partial<Record<Language, string>>>

/** The inside of a group of a regular expression: any of the words of all tables and rows. */
export const words = (...tables: (WordTable | string)[]): string => tables.flatMap(rows).join("|")

/** The words of tables that hold no regular expressions. */
export const wordList = (...tables: (WordTable | string)[]): string[] => words(...tables).split("|")

/** Returns the words of a text that white space separates. */
export const wordSet = (text: string): Set<string> => new Set(text.trim().split(/\s+/))

const rows = (table: WordTable | string): string[] =>
  (typeof table === "string" ? [table] : Object.values(table)).flatMap((row) =>
    row.trim().split(/\s*\n\s*/),
  )
