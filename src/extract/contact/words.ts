import type { WordTable } from "../core/index.ts"

/** Words of pages about their owner: labels, legal forms, and placeholder names. */

/** Labels of a VAT number in imprints. */
export const vatLabels: WordTable = {
  de: String.raw`
    USt\.?-?\s?Id(?:\.?-?\s?Nr\.?|entifikationsnummer)?
    Umsatzsteuer-?\s?(?:Identifikationsnummer|ID)|UID(?:-?\s?Nr\.?)?
  `,
  en: String.raw`VAT(?:\s?(?:ID|No\.?|number|Reg(?:istration)?\.?(?:\s?(?:No\.?|number))?))?`,
  fr: String.raw`TVA(?:\s?intracom(?:munautaire|\.)?)?`,
  it: String.raw`P(?:artita|\.)\s?I(?:VA|\.V\.A\.)(?:\s?(?:e|/)\s?C\.?\s?F\.?)?|C\.?F\.?\s?(?:e|/)\s?P\.?\s?IVA`,
  es: String.raw`CIF|NIF|N\.I\.F\.`,
  nl: String.raw`BTW(?:-?\s?(?:nummer|nr))?`,
  cs: "DIČ",
  sk: "IČ DPH",
  pl: "NIP",
  pt: "CNPJ",
  da: String.raw`CVR(?:[-\s]?nr)?`,
  sv: String.raw`MOMS|Org\.?\s?nr`,
}

const companyNumber = String.raw`(?:No\.?|Number)[:.\s]*[A-Z]{0,2}\d{6,8}`

/** Entries in company registers, with their numbers. */
export const registerEntries: WordTable = {
  de: String.raw`
    HR\s?[AB](?:-?\s?(?:Nr|Nummer)\.?)?:?\s?\d{2,6}(?:[^\S\n]?[A-Z](?![\p{L}\d]))?
    FN\s?\d{5,6}\s?[a-z]
  `,
  en: String.raw`
    (?:Company|Registration|Registered)\s(?:Reg(?:istration)?\.?\s)?${companyNumber}
  `,
  fr: String.raw`SIRE[NT]\s?:?\s?\d[\d\s]{8,16}\d|RCS\s\p{L}+\s(?:B\s)?\d{3}\s?\d{3}\s?\d{3}`,
  it: String.raw`REA\s?:?\s?[A-Z]{2}[-\s]?\d{5,7}`,
  nl: String.raw`KvK(?:-?\s?(?:nummer|nr))?[:.\s]*\d{8}`,
  cs: String.raw`IČO?\s?:?\s?\d{8}`,
  pl: String.raw`KRS\s?:?\s?\d{10}`,
}

/** Legal forms at the end of company names; the longer before the shorter. */
export const legalForms: WordTable = {
  de: String.raw`
    GmbH(?:\s?&\s?Co\.?\s?KGa?A?)?|gGmbH|UG \(haftungsbeschränkt\)|AG|KGaA|KG|OHG|e\.\s?V\.
    e\.\s?K\.|SE
  `,
  en: String.raw`
    Ltd\.?|Limited|LLC|L\.L\.C\.|LLP|PLC|plc|Inc\.?|Corp\.?|Corporation
  `,
  it: String.raw`S\.?r\.?l\.?|S\.?p\.?A\.?`,
  fr: String.raw`SAS|SARL|S\.?A\.?`,
  es: String.raw`S\.?L\.?`,
  nl: String.raw`B\.?V\.?|N\.?V\.?`,
  fi: "Oy|Oyj",
  sv: "AB",
  da: "ApS|A/S",
  nb: "AS",
  any: String.raw`Pty(?:\.? Ltd\.?)?`,
  cs: String.raw`s\.r\.o\.|a\.s\.`,
  pl: String.raw`Sp\. z o\.?\s?o\.?`,
  hu: String.raw`Kft\.?`,
  hr: String.raw`d\.o\.o\.`,
  lv: "SIA",
  lt: "UAB",
  et: "OÜ",
}

/** "Founded", before a year. */
export const foundedIn: WordTable = {
  en: String.raw`founded|established|est\.?|since`,
  de: String.raw`gegründet|gegr\.|seit`,
  fr: "fondée?|depuis",
  es: "fundada|desde",
  it: "fondata|dal",
  nl: "opgericht|sinds",
  cs: "založen[ao]?",
  sv: "grundades",
  fi: "perustettu",
}

const forSale = "for sale|zum verkauf|parked|available for purchase"

/** Phrases of pages that offer their domain for sale. */
export const parkedPhrases: WordTable = {
  en: `
    (?:this )?(?:web ?site|domain)(?: name)? (?:is|may be|could be|steht) (?:${forSale})
    buy this domain|parked free|courtesy of godaddy|domain parking
    make an offer on this domain|inquire about this domain
  `,
  de: "domain (?:kaufen|zu verkaufen)",
  fr: "acheter ce domaine",
}

/** In the source of such pages. */
export const parkingHosts = String.raw`
  sedoparking\.com|parkingcrew\.net|(?:cdn|www)\.bodis\.com|dan\.com\/buy-domain
  afternic\.com\/forsale|hugedomains\.com|above\.com\/parking|img1\.wsimg\.com\/parking-lander
  d38psrni17bvxu\.cloudfront\.net
`

/** Default site names of page builders. */
export const builderSiteNames = `
  my (?:site|website|blog)|home|startseite|website|wordpress|just another wordpress site
  untitled|site title|mysite
`

/** Makers of websites, whose own profiles are linked in the footers of their customers' pages. */
export const siteBuilders = String.raw`
  wix(?:com)?|wordpress(?:dotcom|\.com|com)?|automattic|jimdo(?:\w{0,3})|squarespace|weebly
  shopify|webflow|godaddy|site123|elementor\w*|themeforest|envato
`

/** Hosts of addresses that only show how an address is written. */
export const exampleDomains = `
  example|domain|yourdomain|your-domain|mydomain|yoursite|website|mysite|company|yourcompany
  beispiel|musterfirma|mustermann
`

/** Names before the `@` of such addresses. */
export const exampleNames = String.raw`
  your|you|name|user|username|youremail|your\.?name|your-?email|email|e-mail|vorname\.nachname
  firstname\.lastname|first\.last|max\.mustermann|john\.doe|test|xxx+|[0-9a-f]{32}
`

/** Lower-case parts of people's names. */
export const nameParticles = "von|van|de|der|den|da|di|bin|zu"

/** Labels before a telephone number. */
export const phoneLabels = String.raw`
  tel|tél|telephone|telefon\w*|téléphone|teléfonos?|telefones?|telefoon|phones?
  fon|ph|call|dial|mobil\w*|mobiel|handy|cell|cellulare|cel|celular|móvil|portable|komórka|kom
  hotline|toll[-\s]?free|freephone|freecall|whats\s?app|fax|telefax|gsm|tlf|tfno?|puh|puhelin|växel
`

/** Labels before digits that are money, or a number of anything but a telephone. */
export const otherNumbers = String.raw`
  eur|usd|chf|iban|bic|swift|vat|ust|uid|hrb|hra|fn|siret|siren|rcs|p\.?\s?iva|cif|nif|kvk|isbn
  issn|ean|gtin|art\.?-?nr|order|konto|blz|account|steuer|tax|id
`

/** Pages of a site about the people who run it, by the beginning of their link text or path. */
export const contactPages: [kind: string, names: WordTable][] = [
  [
    "contact",
    {
      en: String.raw`contact|get[-\s]in[-\s]touch`,
      de: "kontakt",
      es: "contacto",
      it: "contatti",
      pt: "contato",
      fr: "contactez",
      hu: "kapcsolat",
      fi: "yhteystiedot",
      ru: String.raw`контакт\w*`,
    },
  ],
  [
    "imprint",
    {
      de: "impressum",
      en: String.raw`imprint|legal[-\s]notice`,
      fr: String.raw`mentions[-\s]l[eé]gales`,
      es: String.raw`aviso[-\s]legal`,
      it: String.raw`note[-\s]legali`,
      nl: "colofon",
    },
  ],
  [
    "about",
    {
      en: "about|company",
      de: String.raw`
        (?:ue|ü)ber[-\s]uns|wir[-\s](?:ue|ü)ber[-\s]uns|unternehmen|firma
      `,
      fr: String.raw`a[-\s]propos|à propos|entreprise`,
      es: String.raw`quienes[-\s]somos|quiénes somos|empresa`,
      it: String.raw`chi[-\s]siamo|azienda`,
      pt: String.raw`quem[-\s]somos`,
      pl: String.raw`o[-\s]nas`,
      sv: String.raw`om[-\s]oss`,
    },
  ],
  [
    "team",
    {
      en: "team|people|staff|leadership",
      de: "mitarbeiter|ansprechpartner",
      fr: "equipe|équipe",
      es: "equipo",
    },
  ],
  [
    "careers",
    {
      en: "careers?|jobs?",
      de: "karriere|stellen(?:angebote)?",
      es: "empleo",
      fr: "emplois?",
      it: "lavora",
    },
  ],
  [
    "privacy",
    { en: "privacy", de: "datenschutz|privatsph", fr: "confidentialit", es: "privacidad" },
  ],
]

/** The same, as whole words only. */
export const contactPagesByWord: typeof contactPages = [
  ["support", { en: String.raw`support|help|customer[-\s]service`, de: "hilfe|kundenservice" }],
  [
    "locations",
    { en: String.raw`locations?|offices|find[-\s]us`, de: "standorte?|filialen|anfahrt" },
  ],
  [
    "press",
    { en: String.raw`press|newsroom|media[-\s]kit`, de: "presse", es: "prensa", it: "stampa" },
  ],
  ["blog", { en: "blog|news", de: "magazin|aktuelles" }],
  ["pricing", { en: "pricing|prices|plans", de: "preise|tarife", fr: "tarifs", es: "precios" }],
  ["terms", { en: "terms|conditions", de: "agb|nutzungsbedingungen", fr: "cgv" }],
]
