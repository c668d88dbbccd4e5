import type { WordTable } from "../../extract/core/index.ts"

/** Users choose the page's language by its URL. */

export const checkIn: WordTable = {
  en: "check-?\\s?in",
  de: "anreise",
  es: "entrada|registro de entrada",
  fr: "arrivée",
  it: "arrivo",
  ja: "チェックイン",
  nl: "inchecken|aankomst",
  pl: "zameldowanie",
  pt: "entrada",
  ru: "заезд",
  sv: "incheckning",
  tr: "giriş",
  zh: "入住",
}

export const checkOut: WordTable = {
  en: "check-?\\s?out",
  de: "abreise",
  es: "salida",
  fr: "départ",
  it: "partenza",
  ja: "チェックアウト",
  nl: "uitchecken|vertrek",
  pl: "wymeldowanie",
  pt: "saída",
  ru: "отъезд",
  sv: "utcheckning",
  tr: "çıkış",
  zh: "退房",
}

export const reviews: WordTable = {
  en: "reviews?",
  de: "(?:gäste)?bewertung(?:en)?",
  es: "comentarios?|opini(?:ón|ones)",
  fr: "expériences? vécues?|avis|commentaires?",
  it: "recension[ei]|giudiz[io]",
  ja: "件の(?:クチコミ|口コミ|レビュー)",
  nl: "beoordeling(?:en)?",
  pl: "opini[aei]|opinii",
  pt: "avaliaç(?:ão|ões)|comentários?",
  ru: "отзыв(?:а|ов)?",
  sv: "omdömen?|recension(?:er)?",
  tr: "değerlendirme",
  zh: "条评语|条点评|則評語",
}
