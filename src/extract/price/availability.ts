/** Whether and how a product can be had; the words of schema.org's ItemAvailability. */
export const availabilities = [
  "in_stock",
  "out_of_stock",
  "preorder",
  "backorder",
  "limited",
  "discontinued",
  "in_store_only",
  "online_only",
  "sold_out",
  "unknown",
] as const
export type Availability = (typeof availabilities)[number]

const bySchemaName: Record<string, Availability> = {
  instock: "in_stock",
  available: "in_stock",
  true: "in_stock",
  outofstock: "out_of_stock",
  oos: "out_of_stock",
  unavailable: "out_of_stock",
  notavailable: "out_of_stock",
  false: "out_of_stock",
  preorder: "preorder",
  presale: "preorder",
  availablefororder: "in_stock",
  backorder: "backorder",
  limitedavailability: "limited",
  lowstock: "limited",
  discontinued: "discontinued",
  instoreonly: "in_store_only",
  onlineonly: "online_only",
  madetoorder: "in_stock",
  reserved: "out_of_stock",
  soldout: "sold_out",
}

/** Sentences by which shops say it, a row a language; the first kind that fits counts. */
const phrases: [availability: Availability, words: string[]][] = [
  [
    "sold_out",
    [
      "sold out|ausverkauft|vergriffen|épuisée?|victime de son succès|agotad[oa]|esgotad[oa]",
      "esaurit[oa]",
      "vyprodán[oa]?|vyprodané|vypredan[éýo]|vypredané|wyprzedan[eay]|uitverkocht|slutsåld|udsolgt",
      "utsolgt",
      "loppuunmyyty|loppunut|loppu|stoc epuizat|elfogyott|tükendi|распродано|закончился|розпродано",
      "售罄|已售完|售完|完售|已搶購一空|売り切れ|完売|品切れ|품절|נמכר|نفدت الكمية|نفد",
    ],
  ],
  [
    "out_of_stock",
    [
      "out of stock|currently unavailable|temporarily unavailable|no longer available|not available",
      "unavailable|not in stock|no stock|back in stock|wieder (?:lieferbar|verfügbar|auf lager)",
      "derzeit nicht verfügbar|nicht (?:mehr )?(?:auf lager|lieferbar|verfügbar|vorrätig)",
      "actuellement indisponible|indisponible|(?:en )?rupture(?: de stock)?",
      "plus (?:en stock|disponible)",
      "non disponibile|no disponible|sin (?:stock|existencias)|no hay (?:stock|existencias)",
      "fuera de stock",
      "indisponível|sem (?:stock|estoque)|fora de (?:stock|estoque)",
      "niet (?:op voorraad|leverbaar|beschikbaar|voorradig)",
      "niedostępn[yae]|brak (?:w magazynie|towaru|na stanie)",
      "není skladem|nedostupn[éýá]|nie je (?:skladom|na sklade|dostupn[éýá])",
      "nincs (?:raktáron|készleten)",
      "indisponibil|nu este [iî]n stoc|ni na zalogi|nema na (?:stanju|zalihi)",
      "ikke på lager|ej i lager|slut i lager|ei (?:saatavilla|varastossa)|varastossa ei|stokta yok",
      "nav pieejams|nėra sandėlyje|нет (?:в наличии|на складе)|немає (?:в наявності|на складі)",
      "غير متوفر|נגמר|אזל|לא במלאי|חסר במלאי|無庫存|缺貨|缺货|补货中|補貨中|在庫なし|在庫切れ|入荷待ち|입고",
    ],
  ],
  ["discontinued", ["discontinued|eingestellt|produkcja zakończona|снят с производства"]],
  [
    "preorder",
    [
      "pre-?order(?: now)?|vorbestell\\p{L}*|précommander?|précommande|preordina|předobjedn\\p{L}*",
      "predobjedn\\p{L}*|reserva anticipada|pré-venda|przedsprzedaż|предзаказ|передзамовлення",
      "預購|预售|预购|予約受付中|예약판매",
    ],
  ],
  ["backorder", ["(?:on )?back-?order(?:ed)?|nachbestellt|под заказ"]],
  [
    "limited",
    [
      "only \\d+ (?:items? )?left|limited stock|low stock|nur noch \\d+|solo quedan? \\d+",
      "plus que \\d+",
      "il ne reste plus que|ultimi pezzi|poslední kusy?|残りわずか",
    ],
  ],
  [
    "in_stock",
    [
      "in stock|available now|available to ship|ready to ship",
      "auf lager|lieferbar|sofort verfügbar|vorrätig|en stock|disponibles?",
      "disponibil[ei]?|disponibilità immediata|disponível|em (?:stock|estoque)|op voorraad",
      "voorradig",
      "na stanie|dostępn[yae]|skladem|na sklade|skladom|na zalogi|na stanju|raktáron|készleten",
      "[iî]n stoc|på lager|i lager|varastossa|laos olemas|saadaval|stokta|pieejams|yra sandėlyje",
      "в наличии|на складе|є в наявності|в наявності",
      "متوفر|במלאי|有庫存|有货|現貨|现货|在庫あり",
    ],
  ],
]

/** Words stand whole; scripts that write without spaces have no ends of words. */
const patterns = phrases.map(
  ([availability, words]) =>
    [new RegExp(`(?<![a-zà-ž])(?:${words.join("|")})(?![a-zà-ž])`, "iu"), availability] as const,
)

/** schema.org's value in any spelling: `http://schema.org/InStock`, `in stock`, `instock`. */
export function availabilityOf(value: unknown): Availability | null {
  if (typeof value !== "string" && typeof value !== "boolean") return null
  const text = String(value).trim()
  if (text === "") return null
  const last = /^https?:/i.test(text) ? text.replace(/[/#]+$/, "").replace(/^.*[/#]/s, "") : text
  const bare = last
    .replace(/^schema:/i, "")
    .replace(/[^a-z]/gi, "")
    .toLowerCase()
  return bySchemaName[bare] ?? availabilityInText(text)
}

/** What a short text of a page says of the stock; null when it does not speak of it. */
export function availabilityInText(text: string): Availability | null {
  return patterns.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

/** Whether it can be bought now; null when that is not known. */
export function isInStock(availability: Availability | null): boolean | null {
  if (availability === null || availability === "unknown") return null
  return ["in_stock", "limited", "online_only", "in_store_only"].includes(availability)
}
