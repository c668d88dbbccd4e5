/**
 * Regions of DuckDuckGo by country (ISO 3166-1), the first of several being the usual one. The part
 * before the hyphen is DuckDuckGo's own name of the country, and the part after it the language.
 */
const regionsByCountry: Record<string, readonly string[]> = {
  AR: ["ar-es"],
  AT: ["at-de"],
  AU: ["au-en"],
  BE: ["be-nl", "be-fr"],
  BG: ["bg-bg"],
  BR: ["br-pt"],
  CA: ["ca-en", "ca-fr"],
  CH: ["ch-de", "ch-fr", "ch-it"],
  CL: ["cl-es"],
  CN: ["cn-zh"],
  CO: ["co-es"],
  CZ: ["cz-cs"],
  DE: ["de-de"],
  DK: ["dk-da"],
  EE: ["ee-et"],
  ES: ["es-es"],
  FI: ["fi-fi"],
  FR: ["fr-fr"],
  GB: ["uk-en"],
  GR: ["gr-el"],
  HK: ["hk-tzh"],
  HR: ["hr-hr"],
  HU: ["hu-hu"],
  ID: ["id-id", "id-en"],
  IE: ["ie-en"],
  IL: ["il-he"],
  IN: ["in-en"],
  IT: ["it-it"],
  JP: ["jp-jp"],
  KR: ["kr-kr"],
  LT: ["lt-lt"],
  LV: ["lv-lv"],
  MX: ["mx-es"],
  MY: ["my-ms", "my-en"],
  NL: ["nl-nl"],
  NO: ["no-no"],
  NZ: ["nz-en"],
  PE: ["pe-es"],
  PH: ["ph-en", "ph-tl"],
  PL: ["pl-pl"],
  PT: ["pt-pt"],
  RO: ["ro-ro"],
  RU: ["ru-ru"],
  SE: ["se-sv"],
  SG: ["sg-en"],
  SI: ["sl-sl"],
  SK: ["sk-sk"],
  TH: ["th-th"],
  TR: ["tr-tr"],
  TW: ["tw-tzh"],
  UA: ["ua-uk"],
  US: ["us-en", "us-es"],
  VE: ["ve-es"],
  VN: ["vn-vi"],
  ZA: ["za-en"],
}

/** Languages of regions that DuckDuckGo writes otherwise than BCP 47. */
const languages: Record<string, string> = { tzh: "zh", jp: "ja", kr: "ko", no: "nb", tl: "fil" }

/** The country and language of a search. */
export interface Region {
  /** As DuckDuckGo names it. */
  region: string
  /** As Bing names it, for example `de-DE`. */
  market: string
  /** ISO 3166-1, for example `DE`. */
  country: string
  /** ISO 639-1, for example `de`. */
  language: string
}

/** Returns the region of a country and, if the country has it, of a language. */
export function regionOf(country: string, language?: string): Region | undefined {
  const code = country.toUpperCase() === "UK" ? "GB" : country.toUpperCase()
  const regions = regionsByCountry[code]
  if (!regions) return undefined
  const wanted = language?.slice(0, 2).toLowerCase()
  const region = regions.find((one) => languageOf(one) === wanted) ?? regions[0]!
  const spoken = languageOf(region)
  return { region, market: `${spoken}-${code}`, country: code, language: spoken }
}

function languageOf(region: string): string {
  const written = region.slice(region.indexOf("-") + 1)
  return languages[written] ?? written
}

/** Returns the region of a language, for example `de`, `de-CH` or `pt_BR`; undefined for all. */
export function regionOfLanguage(tag: string): Region | undefined {
  const [language = "", country] = tag.toLowerCase().split(/[-_]/)
  if (country && regionsByCountry[country.toUpperCase()]) return regionOf(country, language)
  const usual = usualCountry[language] ?? language
  const region = regionOf(usual, language)
  return region?.language === language ? region : undefined
}

/** Countries of languages that are not called like one of theirs. */
const usualCountry: Record<string, string> = {
  ...{ en: "US", zh: "CN", ja: "JP", ko: "KR", cs: "CZ", da: "DK", el: "GR", et: "EE", he: "IL" },
  ...{ sv: "SE", uk: "UA", vi: "VN", sl: "SI", nb: "NO", ms: "MY", ca: "ES" },
}

/** Codes by the English names of countries, in lower case. */
const byName = new Map(
  Object.keys(regionsByCountry).map((code) => [
    new Intl.DisplayNames("en", { type: "region" }).of(code)!.toLowerCase(),
    code,
  ]),
)

/** Returns the country that ends a place, for example that of "Bavaria, Germany". */
export function countryIn(location: string): string | undefined {
  const name = location.split(",").at(-1)!.trim().toLowerCase()
  return byName.get(name) ?? (regionsByCountry[name.toUpperCase()] ? name.toUpperCase() : undefined)
}
