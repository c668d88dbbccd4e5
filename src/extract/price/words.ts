import type { WordTable } from "../core/index.ts"

/** Phrases of shops about availability; the first kind that matches counts. */
export const stockPhrases = [
  [
    "sold_out",
    {
      en: "sold out",
      de: "ausverkauft|vergriffen",
      fr: "épuisée?|victime de son succès",
      es: "agotad[oa]",
      pt: "esgotad[oa]",
      it: "esaurit[oa]",
      nl: "uitverkocht",
      sv: "slutsåld",
      da: "udsolgt",
      nb: "utsolgt",
      fi: "loppuunmyyty|loppunut|loppu",
      cs: "vyprodán[oa]?|vyprodané",
      sk: "vypredan[éýo]|vypredané",
      pl: "wyprzedan[eay]",
      hu: "elfogyott",
      ro: "stoc epuizat",
      tr: "tükendi",
      ru: "распродано|закончился",
      uk: "розпродано",
      zh: "售罄|已售完|售完|完售|已搶購一空",
      ja: "売り切れ|完売|品切れ",
      ko: "품절",
      he: "נמכר",
      ar: "نفدت الكمية|نفد",
    },
  ],
  [
    "out_of_stock",
    {
      en: `
        out of stock|currently unavailable|temporarily unavailable|no longer available
        not available|unavailable|not in stock|no stock|back in stock
      `,
      de: `
        wieder (?:lieferbar|verfügbar|auf lager)|derzeit nicht verfügbar
        nicht (?:mehr |sofort |online )?(?:auf lager|lieferbar|verfügbar|vorrätig|erhältlich)
      `,
      fr: `
        actuellement indisponible|indisponible|(?:en )?rupture(?: de stock)?
        (?:non|pas|plus)(?: encore| actuellement)? (?:en stock|disponibles?)
      `,
      it: "non (?:è |sono )?(?:più |ancora |attualmente )?disponibil[ei]",
      es: `
        no (?:está |están |se encuentra )?(?:actualmente )?disponibles?|ya no (?:está )?disponibles?
        sin (?:stock|existencias)|no hay (?:stock|existencias)|fuera de stock
      `,
      pt: `
        indisponíve(?:l|is)|não (?:está |se encontra )?(?:mais )?disponíve(?:l|is)
        (?:sem|não há|fora de) (?:stock|estoque)
      `,
      nl: "niet (?:meer )?(?:op voorraad|leverbaar|beschikbaar|voorradig|verkrijgbaar)",
      pl: `
        niedostępn[yae]|brak (?:w magazynie|towaru|na stanie)|nie ma na stanie
        nie (?:jest |są )?dostępn[yae]
      `,
      cs: "není (?:skladem|na skladě|dostupn[éýá])|nedostupn[éýá]",
      sk: "nie je (?:skladom|na sklade|dostupn[éýá])",
      hu: "nincs (?:raktáron|készleten)",
      ro: "indisponibil|nu este [iî]n stoc",
      sl: "ni na zalogi",
      hr: "nema na (?:stanju|zalihi)",
      da: "(?:ikke|ej) (?:på lager|tilgængelig)",
      nb: "ikke (?:på lager|tilgjengelig)",
      sv: "(?:ej|inte|slut) i lager|(?:ej|inte) tillgänglig",
      fi: "ei (?:saatavilla|varastossa)|varastossa ei",
      tr: "stokta (?:yok|değil|bulunmuyor)|mevcut değil",
      lv: "nav pieejams",
      lt: "nėra sandėlyje",
      ru: "нет (?:в наличии|на складе)",
      uk: "немає (?:в наявності|на складі)",
      ar: "غير متوفر",
      he: "נגמר|אזל|לא במלאי|חסר במלאי",
      zh: "無庫存|无库存|缺貨|缺货|无货|無貨|补货中|補貨中|没有现货",
      ja: "在庫(?:は|が)?(?:なし|切れ|ありません|ございません)|お取り扱いできません|入荷待ち",
      ko: "입고",
    },
  ],
  [
    "discontinued",
    {
      en: "discontinued",
      de: "eingestellt",
      pl: "produkcja zakończona",
      ru: "снят с производства",
    },
  ],
  [
    "preorder",
    {
      en: "pre-?order(?: now)?",
      de: "vorbestell\\p{L}*",
      fr: "précommander?|précommande",
      it: "preordina",
      cs: "předobjedn\\p{L}*",
      sk: "predobjedn\\p{L}*",
      es: "reserva anticipada",
      pt: "pré-venda",
      pl: "przedsprzedaż",
      ru: "предзаказ",
      uk: "передзамовлення",
      zh: "預購|预售|预购",
      ja: "予約受付中",
      ko: "예약판매",
    },
  ],
  ["backorder", { en: "(?:on )?back-?order(?:ed)?", de: "nachbestellt", ru: "под заказ" }],
  [
    "limited",
    {
      en: "only \\d+ (?:items? )?left|limited stock|low stock",
      de: "nur noch \\d+",
      es: "(?:solo|sólo) queda(?:n|\\(n\\))? \\d+",
      fr: "plus que \\d+|il ne reste plus que",
      it: "ultimi pezzi|(?:solo|soltanto) \\d+ (?:disponibil[ei]|pezzi|rimast[ie])",
      pt: "(?:apenas|só|somente) \\d+ (?:em stock|em estoque|disponíveis)|restam? (?:apenas )?\\d+",
      nl: "(?:nog maar|nog slechts|slechts) \\d+",
      pl: "(?:zostało|pozostało|została|zostały) (?:już )?tylko \\d+",
      sv: "endast \\d+ (?:kvar|i lager)",
      cs: "poslední kusy?",
      tr: "(?:stokta )?sadece \\d+ adet",
      ja: "残りわずか|残り\\d+点",
    },
  ],
  [
    "in_stock",
    {
      en: "in stock|available now|available to ship|ready to ship",
      de: "auf lager|lieferbar|sofort verfügbar|vorrätig",
      fr: "en stock|disponibles?",
      it: "disponibil[ei]?|disponibilità immediata",
      pt: "disponível|em (?:stock|estoque)",
      nl: "op voorraad|voorradig",
      pl: "na stanie|dostępn[yae]",
      cs: "skladem",
      sk: "na sklade|skladom",
      sl: "na zalogi",
      hr: "na stanju",
      hu: "raktáron|készleten",
      ro: "[iî]n stoc",
      da: "på lager",
      sv: "i lager",
      fi: "varastossa",
      et: "laos olemas|saadaval",
      tr: "stokta",
      lv: "pieejams",
      lt: "yra sandėlyje",
      ru: "в наличии|на складе",
      uk: "є в наявності|в наявності",
      ar: "متوفر",
      he: "במלאי",
      zh: "有庫存|有货|現貨|现货",
      ja: "在庫あり",
    },
  ],
] as const satisfies readonly (readonly [string, WordTable])[]

/** Labels of the price before a reduction. */
export const oldPrices: WordTable = {
  en: "was|rrp|msrp|list price|recommended(?: retail)? price",
  fr: "prix (?:conseillé|public)|avant",
  de: "statt|uvp",
  es: "antes",
  it: "prima",
  pl: "zamiast",
  uk: "було",
  ru: "было",
}

/** Words of shops instead of a price of zero. */
export const free: WordTable = {
  en: "free",
  de: "gratis|kostenlos",
  fr: "gratuit",
  es: "gratuito",
  pt: "grátis",
  cs: "zdarma",
  pl: "za darmo",
  ru: "бесплатно",
  fi: "ilmainen",
}

/** Units after a number that is not money. */
export const units = String.raw`
  %|x\b|×|ft\b|cm\b|mm\b|m²|kg\b|g\b|ml\b|l\b|oz\b|lbs?\b|inch|"|″|pcs?\b|stk\b|stück|шт|von\b
  of \d|out of|stars?\b|reviews?\b|items?\b|mths?\b|months?\b|days?\b|hours?\b|h\b|litres?\b
  liters?\b|pack\b|°
`
