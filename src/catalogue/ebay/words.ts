import type { WordTable } from "../../extract/core/index.ts"

/** eBay answers in the language of the caller's country, whatever language is asked for. */

export const bids: WordTable = {
  en: "bids?",
  de: "gebote?",
  es: "ofertas? de subasta|pujas?",
  fr: "enchères?",
  it: "offert[ae]",
  ja: "件の入札",
  nl: "(?:biedingen|bod)",
  pl: "ofert[ay]?",
  pt: "lances?",
  ru: "став(?:ка|ки|ок)",
  zh: "次出价",
}

export const buyItNow: WordTable = {
  en: "buy it now",
  de: "sofort[- ]kaufen",
  es: "¡?cómpralo ahora!?|comprar ahora",
  fr: "achat immédiat",
  it: "compralo subito",
  ja: "今すぐ買う",
  nl: "nu kopen",
  pl: "kup teraz",
  pt: "comprar (?:já|agora)|compre já",
  ru: "купить сейчас",
  zh: "立即购买|一口价",
}

export const bestOffer: WordTable = {
  en: "best offer",
  de: "preisvorschlag",
  es: "mejor oferta",
  fr: "offre directe",
  it: "proposta d.acquisto",
  ja: "ベストオファー",
  nl: "beste bod|bod doen",
  pl: "najlepsz[aą] ofert[aę]|propozycj[aę] ceny",
  pt: "melhor oferta",
  ru: "лучшее предложение",
  zh: "最佳报价|议价",
}

export const shipping: WordTable = {
  en: "delivery|shipping|postage",
  de: "versand|lieferung|porto",
  es: "envío",
  fr: "livraison|expédition",
  it: "spedizione|consegna",
  ja: "送料|配送",
  nl: "verzend(?:ing|kosten)|bezorging",
  pl: "wysyłk[aięo]|dostaw[aęy]",
  pt: "frete|envio|entrega",
  ru: "доставк[аиу]",
  zh: "运费|运送|邮费",
}

export const free: WordTable = {
  en: "free",
  de: "kostenlos(?:er|e|en)?|gratis",
  es: "gratis|gratuito",
  fr: "gratuite?",
  it: "gratuit[ao]|gratis",
  ja: "無料",
  nl: "gratis",
  pl: "darmow[aey]|bezpłatn[aey]",
  pt: "grátis|gratuito",
  ru: "бесплатн(?:ая|о)",
  zh: "免费|包邮",
}

/** Before the name of the country. */
export const locatedIn: WordTable = {
  en: "located in|from",
  de: "aus|standort:?",
  es: "ubicado en|desde|de",
  fr: "provenance ?:?|situé à|de la|de l.|de|du|des",
  it: "da|dal|dalla|dagli",
  ja: "発送元",
  nl: "uit|van",
  pl: "z|ze",
  pt: "localizado em|do|da|dos|de",
  ru: "из|с",
  zh: "来自|位于",
}

export const sold: WordTable = {
  en: "sold",
  de: "verkauft",
  es: "vendidos?",
  fr: "vendus?",
  it: "vendut[io]",
  ja: "(?:個|点)?(?:販売済み|売れました)",
  nl: "verkocht",
  pl: "sprzedan[eoy]ch|sprzedane|sprzedano",
  pt: "vendidos?",
  ru: "продано",
  zh: "(?:件)?已售(?:出)?",
}

export const watched: WordTable = {
  en: "watch(?:ers?|ing)",
  de: "beobachter|beobachtende|beobachten",
  es: "marcaron como favorito|en seguimiento|seguidores",
  fr: "abonnés?|suivent|affaires suivies",
  it: "osservatori|osservano",
  ja: "ウォッチ(?:中|リスト)?",
  nl: "volgers|volgen",
  pl: "obserwujących|obserwuje",
  pt: "observadores|marcaram como favorito",
  ru: "наблюдател(?:ей|я|ь)",
  zh: "人关注",
}

export const customs: WordTable = {
  en: "customs services",
  de: "zoll",
  es: "servicios de aduanas?",
  fr: "douan",
  it: "dogan",
  ja: "通関",
  nl: "douane",
  pl: "celn",
  pt: "alfandeg",
  ru: "таможен",
  zh: "清关|海关",
}

export const openEnded: WordTable = {
  en: "to",
  de: "bis",
  es: "a",
  fr: "à",
  it: "a",
  ja: "～|~|から",
  nl: "tot",
  pl: "do",
  pt: "a",
  ru: "до",
  zh: "至|到",
}

export const soldAbroad: WordTable = {
  en: "international",
  es: "internacional",
  it: "internazional",
  ja: "海外|国際",
  nl: "internationa",
  pl: "międzynarod",
  ru: "международн",
  zh: "国际|海外",
}

/** Of a listing's page: how many are left, the last one included. */
export const left: WordTable = {
  en: "available|left",
  de: "verfügbar|stück(?: übrig)?|auf lager",
  es: "disponibles?",
  fr: "disponibles?",
  it: "disponibil[ei]",
  ja: "(?:個|点)?(?:利用可能|在庫あり|残り)",
  nl: "beschikbaar",
  pl: "dostępn(?:ych|e|a|y)",
  pt: "disponíve(?:l|is)",
  ru: "доступно|в наличии",
  zh: "件可售|可供(?:购买|应)",
}

export const lastOne: WordTable = {
  en: "last one",
  de: "letzte[rs]?",
  es: "últim[oa]",
  fr: "derni(?:er|ère)",
  it: "ultim[oa]",
  ja: "最後の1点|残り1点",
  nl: "laatste",
  pl: "ostatni[ae]?",
  pt: "últim[oa]",
  ru: "последн(?:ий|яя)",
  zh: "最后一件",
}

/** The label before a listing's place. */
export const itemLocation: WordTable = {
  en: "located in|item location",
  de: "(?:artikel)?standort",
  es: "ubicad[oa] en|ubicación(?: del artículo)?",
  fr: "lieu où se trouve l['’]objet|situé à|localisation",
  it: "luogo in cui si trova l['’]oggetto|oggetto che si trova a",
  ja: "商品の所在地|所在地",
  nl: "bevindt zich in|objectlocatie|locatie",
  pl: "lokalizacja(?: przedmiotu)?|znajduje się w",
  pt: "localiza(?:ção|do)(?: do item| em)?",
  ru: "местонахождение(?: товара)?",
  zh: "物品所在地",
}

/** The link to help behind a row's value. */
export const moreLink: WordTable = {
  en: "see details|learn more|read more",
  de: "weitere details|details anzeigen|mehr erfahren|weitere informationen",
  es: "ver (?:todos los )?detalles|más información",
  fr: "voir (?:tous )?les détails|afficher les détails|en savoir plus",
  it: "vedi (?:tutti i )?dettagli|visualizza dettagli|ulteriori informazioni",
  ja: "詳細を(?:表示|見る)|詳しくはこちら",
  nl: "(?:alle )?details bekijken|meer informatie",
  pl: "zobacz szczegóły|dowiedz się więcej",
  pt: "ver detalhes|saiba mais",
  ru: "подробнее|см\\. подробности",
  zh: "查看详情|了解更多",
}

/** What sellers choose as the value of a number that their item does not have. */
export const notApplicable: WordTable = {
  en: "does not apply|n/a|not applicable",
  de: "nicht zutreffend|trifft nicht zu",
  es: "no aplicable|no aplica|no corresponde",
  fr: "ne s['’]applique pas|non applicable",
  it: "non applicabile",
  ja: "該当なし|適用しない",
  nl: "niet van toepassing|n\\.v\\.t\\.?",
  pl: "nie dotyczy",
  pt: "não se aplica|não aplicável",
  ru: "не применяется|не применимо",
  zh: "不适用",
}

export const ended: WordTable = {
  en: "(?:ended|sold)\\b",
  de: "beendet|verkauft",
  es: "finalizad|terminad|vendid",
  fr: "termin[ée]|vendu",
  it: "conclus|scadut|terminat|vendut",
  ja: "終了|売り切れ|販売済み",
  nl: "beëindigd|afgelopen|verkocht",
  pl: "zakończon|sprzedan",
  pt: "terminad|encerrad|finalizad|vendid",
  ru: "завершен|продан",
  zh: "已结束|已售",
}

/** Names of item specifics. */
export const specificNames = {
  condition: [
    ..."Condition,Item condition,Zustand,Artikelzustand,Estado,Estado del artículo".split(","),
    ..."État,État de l'objet,Condizione,Condizioni,Condizione dell'oggetto,Staat,Stan".split(","),
    ..."Stan przedmiotu,Estado do item,Condição,Состояние,商品の状態,状態,物品状况".split(","),
  ],
  brand: "Brand,Marke,Marque,Marca,Merk,Marka,ブランド,Бренд,Марка,品牌".split(","),
  mpn: [
    ..."MPN,Herstellernummer,Numéro de pièce fabricant,Número de pieza del fabricante".split(","),
    ..."Codice articolo del fabbricante,Onderdeelnummer fabrikant,Numer części producenta".split(
      ",",
    ),
    ..."Referência do fabricante,製造部品番号,Номер детали производителя,制造商部件编号".split(","),
  ],
}
