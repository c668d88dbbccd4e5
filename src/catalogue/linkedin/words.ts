import type { WordTable } from "../../extract/core/index.ts"

/** LinkedIn's hosts by country, and the visitor's country, decide the language of a page. */

export const followers: WordTable = {
  en: "followers",
  de: "follower(?:[:*]innen)?",
  es: "seguidores",
  fr: "abonnés",
  it: "follower",
  ja: "フォロワー",
  nl: "volgers",
  pl: "obserwujących",
  pt: "seguidores",
  ru: "отслеживающих|подписчик(?:а|ов)?",
  sv: "följare",
  tr: "takipçi",
  zh: "位关注者|关注者|名关注者",
}

/** Between the number and its end in "View all 1,234 employees". */
export const employees: WordTable = {
  en: "employees",
  de: "beschäftigten?|mitarbeiter(?:[:*]innen)?",
  es: "empleados",
  fr: "employés",
  it: "dipendenti",
  ja: "(?:人|名)の(?:従業員|社員)",
  nl: "medewerkers",
  pl: "pracowników",
  pt: "funcionários|colaboradores",
  sv: "anställda",
  tr: "çalışan",
  zh: "名员工|位员工",
}

/** Before the last of a list. */
export const and: WordTable = {
  en: "and",
  de: "und",
  es: "[ye]",
  fr: "et",
  it: "ed?",
  nl: "en",
  pl: "i",
  pt: "e",
  sv: "och",
  tr: "ve",
}

export const fundingRounds: WordTable = {
  en: "total rounds?",
  de: "finanzierungsrunden?(?: insgesamt)?|runden? insgesamt",
  es: "rondas?(?: de financiación)?(?: en total)?",
  fr: "cycles?(?: de financement)?|tours?(?: de table)?",
  it: "round(?: di finanziamento)?(?: totali)?",
  nl: "(?:financierings)?rondes?",
  pt: "rodadas?|rondas?",
}
