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

/** Sentences by which shops say it; the first row that fits counts. */
const phrases: [pattern: RegExp, availability: Availability][] = [
  [
    /\b(?:sold out|ausverkauft|agotado|esgotado|esaurito|épuisé|vyprodáno|vypredané|wyprzedan|uitverkocht|slutsåld|udsolgt|utsolgt|loppuunmyyty|loppu|stoc epuizat)\b|распродано|售罄|売り切れ|품절|已售完|已搶購一空/iu,
    "sold_out",
  ],
  [
    /\b(?:out of stock|currently unavailable|temporarily unavailable|no longer available|not available|unavailable|not in stock|derzeit nicht verfügbar|nicht (?:auf lager|lieferbar|verfügbar|vorrätig)|actuellement indisponible|indisponible|rupture de stock|non disponibile|attualmente non disponibile|no disponible|sin stock|indisponível|sem stock|niet (?:op voorraad|leverbaar)|niedostępny|brak w magazynie|není skladem|nedostupné|nie je (?:skladom|dostupn)|nincs raktáron|indisponibil|ikke på lager|ej i lager|ei saatavilla|varastossa ei|stokta yok|tükendi|nav pieejams)\b|нет в наличии|немає в наявності|غير متوفر|נגמר|אזל|無庫存|缺貨|在庫なし|입고/iu,
    "out_of_stock",
  ],
  [
    /\b(?:discontinued|nicht mehr lieferbar|eingestellt|produkcja zakończona)\b|снят с производства/iu,
    "discontinued",
  ],
  [
    /\b(?:pre-?order(?: now)?|vorbestell\w*|précommande|preordina|předobjednávka|reserva anticipada)\b|предзаказ/iu,
    "preorder",
  ],
  [/\b(?:back-?order(?:ed)?|nachbestellt)\b/iu, "backorder"],
  [
    /\b(?:only \d+ left|limited stock|low stock|nur noch \d+|solo quedan? \d+|plus que \d+|il ne reste plus que|ultimi pezzi|poslední kus)\b/iu,
    "limited",
  ],
  [
    /\b(?:in stock|available now|available to ship|ready to ship|auf lager|sofort lieferbar|lieferbar|vorrätig|en stock|disponible|disponibile|disponibilità immediata|disponível|em stock|op voorraad|na stanie|dostępny|skladem|na sklade|skladom|raktáron|în stoc|in stoc|på lager|i lager|varastossa|laos olemas|saadaval|stokta|pieejams|yra sandėlyje)\b|в наличии|є в наявності|متوفر|במלאי|有庫存|現貨|在庫あり/iu,
    "in_stock",
  ],
]

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
  return phrases.find(([pattern]) => pattern.test(text))?.[1] ?? null
}

/** Whether it can be bought now; null when that is not known. */
export function isInStock(availability: Availability | null): boolean | null {
  if (availability === null || availability === "unknown") return null
  return ["in_stock", "limited", "online_only", "in_store_only"].includes(availability)
}
