import type { WordTable } from "../../extract/core/index.ts"

/** Each of Yelp's hosts has its own language, whatever language is asked for. */

export const phoneNumber: WordTable = {
  en: "phone number",
  de: "telefonnummer",
  es: "número de teléfono|teléfono",
  fr: "numéro de téléphone",
  it: "numero di telefono",
  ja: "電話番号",
  nl: "telefoonnummer",
  pt: "número de telefone|telefone",
}

export const directions: WordTable = {
  en: "get directions",
  de: "wegbeschreibung|route (?:anzeigen|planen)|anfahrt",
  es: "cómo llegar|obtener direcciones",
  fr: "itinéraire|obtenir l['’]itinéraire",
  it: "ottieni indicazioni|indicazioni stradali",
  ja: "ルート(?:案内|検索)?|経路",
  nl: "routebeschrijving",
  pt: "como chegar|ver rotas",
}

export const website: WordTable = {
  en: "business website",
  de: "website des (?:unternehmens|geschäfts)|webseite|website",
  es: "sitio web(?: del negocio)?|página web",
  fr: "site (?:web|internet)(?: de l['’]établissement)?",
  it: "sito web(?: dell['’]attività)?",
  ja: "(?:ビジネスの)?ウェブサイト",
  nl: "website(?: van het bedrijf)?",
  pt: "site(?: da empresa)?",
}

export const openNow: WordTable = {
  en: "open now",
  de: "jetzt geöffnet",
  es: "abierto ahora",
  fr: "ouvert (?:en ce moment|maintenant|actuellement)",
  it: "(?:ora )?aperto(?: ora| adesso)",
  ja: "営業中",
  nl: "nu open|nu geopend",
  pt: "aberto agora",
}

export const closedNow: WordTable = {
  en: "closed now",
  de: "jetzt geschlossen",
  es: "cerrado ahora",
  fr: "fermé (?:en ce moment|maintenant|actuellement)",
  it: "(?:ora )?chiuso(?: ora| adesso)",
  ja: "営業時間外|準備中",
  nl: "nu (?:gesloten|dicht)",
  pt: "fechado agora",
}

/** Of a whole day. */
export const closed: WordTable = {
  en: "closed",
  de: "geschlossen",
  es: "cerrado",
  fr: "fermé",
  it: "chiuso",
  ja: "休業日?|定休日|閉店",
  nl: "gesloten",
  pt: "fechado",
}

export const about: WordTable = {
  en: "about the business",
  de: "über (?:das|dieses) (?:unternehmen|geschäft)",
  es: "acerca del negocio|sobre el negocio",
  fr: "à propos de (?:l['’]établissement|l['’]entreprise|ce commerce)",
  it: "informazioni sull['’]attività",
  ja: "(?:この)?ビジネスについて",
  nl: "over (?:het|dit) bedrijf",
  pt: "sobre a empresa",
}

export const readMore: WordTable = {
  en: "read more",
  de: "mehr (?:lesen|anzeigen)|weiterlesen",
  es: "leer más",
  fr: "lire la suite|lire plus",
  it: "leggi (?:tutto|altro|di più)",
  ja: "もっと(?:読む|見る)|続きを読む",
  nl: "(?:lees|meer) (?:meer|lezen)",
  pt: "ler mais|leia mais",
}
