import type { WordTable } from "../core/index.ts"

/** Titles of lists of questions. */
export const faqNames: WordTable = {
  en: String.raw`\bfaqs?\b|frequently asked`,
  de: "häufige (?:fragen|gestellte)|häufig gestellte|fragen (?:und|&) antworten",
  fr: "questions? (?:fréquentes|fréquemment)|foire aux questions",
  es: "preguntas frecuentes",
  it: "domande frequenti",
  pt: "perguntas frequentes",
  nl: "veelgestelde vragen",
  ru: "часто задаваемые",
  uk: "часті питання",
  pl: "najczęściej zadawane",
  cs: "časté (?:dotazy|otázky)",
  sv: "vanliga frågor",
  ja: "よくある(?:質問|ご質問)",
  zh: "常见问题|常見問題",
  ko: "자주 묻는",
}

/** The link from a teaser to the whole answer. */
export const readMore: WordTable = {
  en: "(?:more|further) information|(?:read|learn|show) more",
  de: "mehr (?:informationen|erfahren|lesen|dazu)|weiterlesen",
  fr: "en savoir plus|lire la suite",
  es: "leer más|más información",
  it: "leggi tutto",
  nl: "lees meer",
}
