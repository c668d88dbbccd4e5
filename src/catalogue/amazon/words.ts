import type { WordTable } from "../../extract/core/index.ts"

/** The marketplaces' own words; each marketplace has its language, whatever language is asked for. */

/** Shown instead of the buy box if Amazon recommends no offer. */
export const noOffer: WordTable = {
  en: "no featured offers?",
  de: "keine (?:hervorgehobenen|empfohlenen) angebote",
  es: "no hay ofertas destacadas",
  fr: "(?:aucune|pas d.) ?offres? (?:mise en avant|recommandée|en vedette)s?",
  it: "nessuna offerta (?:in evidenza|consigliata)",
  ja: "おすすめ出品.{0,12}(?:ありません|なし)",
  nl: "geen (?:aanbevolen|uitgelichte) aanbiedingen",
  pl: "brak (?:polecanych|wyróżnionych) ofert",
  pt: "nenhuma oferta (?:em destaque|recomendada)",
  sv: "inga (?:utvalda|rekommenderade) erbjudanden",
  tr: "öne çıkan teklif yok",
}

/** The month of "50+ bought in past month". */
export const lastMonth: WordTable = {
  en: "(?:past|last) month",
  de: "letzten monat",
  es: "mes pasado|último mes",
  fr: "mois dernier|dernier mois",
  it: "mese scorso|ultimo mese",
  ja: "過去1か月|過去１か月|先月",
  nl: "(?:afgelopen|vorige) maand",
  pl: "(?:zeszłym|ubiegłym|ostatnim) miesiącu",
  pt: "mês passado|último mês",
  sv: "(?:senaste|förra) månaden",
  tr: "geçen ay|son bir ayda",
}

export const noResults: WordTable = {
  en: "no results for|did not match any products",
  de: "keine ergebnisse für",
  es: "ningún resultado para|no hay resultados para",
  fr: "aucun résultat pour",
  it: "nessun risultato per",
  ja: "に一致する商品はありません|の検索に一致する結果はありません",
  nl: "geen resultaten voor",
  pl: "brak wyników dla",
  pt: "nenhum resultado para",
  sv: "inga resultat för",
  tr: "için sonuç yok|için sonuç bulunamadı",
}

export const verifiedPurchase: WordTable = {
  en: "verified purchase",
  de: "verifizierter kauf",
  es: "compra verificada",
  fr: "achat vérifié",
  it: "acquisto verificato",
  ja: "amazonで購入",
  nl: "geverifieerde aankoop",
  pl: "zweryfikowany zakup|potwierdzony zakup",
  pt: "compra verificada",
  sv: "verifierat köp",
  tr: "doğrulanmış alışveriş",
}

/** Before the title in the label of an advertisement's tile. */
export const sponsored: WordTable = {
  en: "sponsored ad",
  de: "gesponserte anzeige",
  es: "anuncio patrocinado",
  fr: "annonce sponsorisée",
  it: "annuncio sponsorizzato|sponsorizzato",
  ja: "スポンサー広告",
  nl: "gesponsorde advertentie",
  pl: "reklama sponsorowana|sponsorowane",
  pt: "anúncio patrocinado",
  sv: "sponsrad annons",
  tr: "sponsorlu reklam",
}

/** The link to a brand's store; the group is the brand. */
export const storeLink: WordTable = {
  en: "Visit the (.+) Store",
  de: "Besuche(?:n Sie)? den (.+)-Store",
  es: "Visita la (?:tienda|store) de (.+)",
  fr: "Visite[rz] la boutique (?:de )?(.+)",
  it: "Visita lo Store di (.+)",
  ja: "(.+)のストアを表示",
  nl: "Bezoek de (.+)-store",
  pl: "Odwiedź sklep (.+)",
  pt: "Visite a loja (?:da |do )?(.+)",
  sv: "Besök (.+) Store|Besök (.+)-butiken",
  tr: "(.+) Store'?u ziyaret edin",
}

/** The title of the page that is shown instead of one that does not exist. */
export const notFoundTitle: WordTable = {
  en: "(?:page|document) not found",
  de: "(?:seite|dokument) (?:wurde )?nicht gefunden",
  es: "(?:página|documento) no encontrad[oa]|no se (?:ha encontrado|encontró) la página",
  fr: "page (?:introuvable|non trouvée)|document non trouvé",
  it: "pagina non trovata|documento non trovato",
  ja: "ページが見つかりません",
  nl: "(?:pagina|document) niet gevonden",
  pl: "nie (?:znaleziono|można znaleźć) strony",
  pt: "(?:página|documento) não encontrad[oa]",
  sv: "sidan (?:hittades inte|kunde inte hittas)",
  tr: "sayfa bulunamadı",
}

/** "Reviewed in the United States on July 30, 2026". */
export const reviewOrigins: readonly RegExp[] = [
  /^\S+ in (?<country>.+?) on (?<date>.+)$/i,
  /^\S+ en (?<country>.+?) el (?<date>.+)$/i,
  /^(?:Kunden)?rezension aus (?<country>.+?) vom (?<date>.+)$/i,
  /^\S+ in (?<country>.+?) am (?<date>.+)$/i,
  /^\S+(?: \S+)? (?:en|au|aux|à) (?<country>.+?) le (?<date>.+)$/i,
  /^Recensito in (?<country>.+?) il (?<date>.+)$/i,
  /^Beoordeeld in (?<country>.+?) op (?<date>.+)$/i,
  /^Avaliado (?:no|na|em|nos|nas) (?<country>.+?) em (?<date>.+)$/i,
  /^\S+ i (?<country>.+?) den (?<date>.+)$/i,
  /^\S+(?: \S+)? we? (?<country>.+?)(?: dnia)? (?<date>\d.+)$/i,
  /^(?<date>\d.+?) tarihinde (?<country>.+?)['’]\S+ değerlendirildi$/i,
  /^(?<date>\d{4}年\d{1,2}月\d{1,2}日)に(?<country>.+?)でレビュー済み$/,
]
