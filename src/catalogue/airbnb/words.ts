import type { WordTable } from "../../extract/core/index.ts"

/** Airbnb's hosts by country answer in their own language, whatever language is asked for. */

export const beds: WordTable = {
  en: "beds?",
  de: "betten|bett",
  es: "camas?",
  fr: "lits?",
  it: "letti|letto",
  ja: "ベッド",
  ko: "침대",
  nl: "bedden|bed",
  pl: "łóżk[aoi]|łóżek",
  pt: "camas?",
  sv: "sängar|säng",
  tr: "yatak(?! odası)",
  zh: "张床|張床|床",
}

export const bedrooms: WordTable = {
  en: "bedrooms?",
  de: "schlafzimmer",
  es: "dormitorios?|habitaci(?:ón|ones)|recámaras?",
  fr: "chambres?",
  it: "camer[ae](?: da letto)?",
  ja: "寝室|ベッドルーム",
  ko: "침실",
  nl: "slaapkamers?",
  pl: "sypialni[ea]?|sypialnie",
  pt: "quartos?",
  sv: "sovrum",
  tr: "yatak odası",
  zh: "间卧室|間臥室|卧室",
}

export const superhost: WordTable = {
  en: "super\\s?host",
  es: "superanfitri(?:ón|ona)",
  fr: "superhôte",
  ja: "スーパーホスト",
  ko: "슈퍼호스트",
  pl: "superhost",
  zh: "超赞房东|超讚房東",
}

export const guestFavorite: WordTable = {
  en: "guest[_ ]favou?rite",
  de: "gäste-?\\s?favorit",
  es: "favorito entre (?:los )?huéspedes|recomendación del viajero",
  fr: "coup de cœur voyageurs",
  it: "amato dagli ospiti",
  ja: "ゲストチョイス",
  ko: "게스트 선호",
  nl: "favoriet (?:van|onder) gasten|gasten-?favoriet",
  pl: "wybór gości",
  pt: "preferido dos hóspedes|favorito dos hóspedes",
  sv: "gästfavorit",
  tr: "misafirlerin favorisi",
  zh: "房客推荐|房客最愛",
}

/** Between the kind of lodging and the place in "Condo in Panama City". */
export const inPlace: WordTable = {
  en: "in",
  es: "en",
  fr: "à|en",
  nl: "in",
  pl: "w",
  pt: "em",
  sv: "i",
}

/** Between the place and the kind of lodging, where the place comes first. */
export const placeOf: WordTable = {
  ja: "の",
  ko: "의\\s",
  zh: "的",
}

export const night: WordTable = {
  en: "nights?",
  de: "nächte|nacht",
  da: "nætter|nat",
  es: "noches?",
  fi: "yötä|yö",
  fr: "nuits?",
  it: "notti|notte",
  ja: "泊",
  ko: "박",
  nb: "netter|natt",
  nl: "nachten|nacht",
  pl: "noce|nocy|noc",
  pt: "noites?",
  ru: "ноч(?:ь|и|ей)",
  sv: "nätter|natt",
  tr: "gece",
  zh: "晚",
}

/** Before "night" where a price is of one. */
export const each: WordTable = {
  en: "per",
  de: "pro",
  es: "por|al?",
  fr: "par|la",
  it: "a|al|per la",
  nl: "per",
  pl: "za",
  pt: "por",
  ru: "за",
  sv: "per",
  zh: "每",
}
