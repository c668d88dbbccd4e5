import { words } from "../core/index.ts"

/** ISO 4217 codes in use, and those of coins and old money that shops and archives still show. */
const codes =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTC BTN " +
  "BWP BYN BYR BZD CAD CDF CHF CLP CNY COP CRC CUC CUP CVE CZK DEM DJF DKK DOP DZD EGP ERN ETB " +
  "ETH EUR FJD FKP FRF GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR " +
  "ISK ITL JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD " +
  "MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK " +
  "PHP PKR PLN PTE PYG QAR RMB RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP " +
  "STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USDT UYU UZS VES VND VUV " +
  "WST XAF XCD XOF XPF YER ZAR ZMW ZWL"
const isoCodes = new Set(codes.split(" "))

/** Each sign with the currencies that use it, the likeliest first; none: only the place decides. */
const signTable: [signs: string, currencies: string][] = [
  ["€ euro euros", "EUR"],
  [
    "$ dollar dollars",
    "USD CAD AUD MXN ARS CLP COP NZD SGD HKD TWD UYU BSD BBD BMD BND BZD FJD KYD NAD",
  ],
  ["US$ US\u00a0$ USD$ U$D U$S $US", "USD"],
  ["C$ CA$ CAD$ CAN$ CND $CA", "CAD"],
  ["A$ AU$ AU\u00a0$ AUD$", "AUD"],
  ["NZ$ NZD$", "NZD"],
  ["MX$ Mex$ MXN$", "MXN"],
  ["AR$ ARS$", "ARS"],
  ["CLP$", "CLP"],
  ["COL$ COP$", "COP"],
  ["NT$ NT", "TWD"],
  ["HK$ HKD$", "HKD"],
  ["S$ SG$", "SGD"],
  ["R$", "BRL"],
  ["$U UY$", "UYU"],
  ["$b Bs Bs.", "BOB VES"],
  ["BZ$", "BZD"],
  ["CUC$", "CUC"],
  ["RD$", "DOP"],
  ["J$", "JMD"],
  ["MOP$", "MOP"],
  ["T$", "TOP"],
  ["TT$", "TTD"],
  ["Z$", "ZWL"],
  ["G$ GY$", "GYD"],
  ["B$", "BND BSD"],
  ["FJ$", "FJD"],
  ["N$", "NAD"],
  ["EC$", "XCD"],
  ["£ ￡ pound pounds stg GBp", "GBP EGP LBP GIP FKP SHP"],
  ["E£ ج.م جنيه", "EGP"],
  ["₤", "GBP ITL TRY"],
  ["¥ ￥", "JPY CNY"],
  ["円 yen JP¥ 圓", "JPY"],
  ["元 圆 人民币 yuan CN¥ RMB¥", "CNY"],
  ["₩ 원 won", "KRW"],
  ["₹ ரூ र රු Re", "INR"],
  ["Rs Rs. ₨ Rp.", "INR PKR LKR NPR MUR"],
  ["Rp", "IDR"],
  ["RM", "MYR"],
  ["₱ PhP", "PHP"],
  ["฿ บาท", "THB"],
  ["₫ đ VNĐ", "VND"],
  ["៛", "KHR"],
  ["₭", "LAK"],
  ["Ks", "MMK"],
  ["৳ Tk Tk.", "BDT"],
  ["Nu. Nu", "BTN"],
  ["Rf", "MVR"],
  ["₮", "MNT"],
  ["Kč Kčs", "CZK"],
  ["zł Zł zl złotych", "PLN"],
  ["Ft", "HUF"],
  ["lei Lei LEI", "RON MDL"],
  ["лв лв. lv", "BGN"],
  ["kn", "HRK"],
  ["din din. Dinara дин дин. Дин Din", "RSD"],
  ["KM км", "BAM"],
  ["ден ДЕН mkd", "MKD"],
  ["Lek", "ALL"],
  ["kr kr. Kr Kr. :-", "SEK NOK DKK ISK"],
  ["CHf SFr SFr. Fr. Fr", "CHF"],
  ["₽ руб руб. Руб Руб. Р р р. Р. Rbl ₽.", "RUB"],
  ["₴ грн грн. гривен hrn", "UAH"],
  ["Br Br. руб.б", "BYN ETB"],
  ["₸ тг тг. тенге", "KZT"],
  ["so'm сўм som Sʻ S'", "UZS KGS"],
  ["с", "KGS TJS"],
  ["₾ ლ ლარი lari", "GEL"],
  ["₼ ман.", "AZN"],
  ["֏", "AMD"],
  ["TL ₺", "TRY"],
  ["₪ nis ש״ח ש\"ח ש'ח ש.ח ש.ח. ش.ج", "ILS"],
  ["د.إ درهم Dhs Dh DH", "AED MAD"],
  ["د.م د.م.", "MAD"],
  ["ر.س ريال SR", "SAR YER OMR QAR"],
  ["ر.ق", "QAR"],
  ["ر.ع ر.ع.", "OMR"],
  ["ر.ي", "YER"],
  ["﷼ ریال", "IRR"],
  ["تومان", "IRR"],
  ["د.ك دينار كويتي KD", "KWD"],
  ["د.ب .د.ب BD", "BHD"],
  ["د.أ د.ا دينار أردني JD", "JOD"],
  ["دينار", "KWD JOD IQD BHD TND DZD"],
  ["ع.د د.ع ID", "IQD"],
  ["ل.س", "SYP"],
  ["ل.ل LL", "LBP"],
  ["د.ت DT", "TND"],
  ["دج د.ج DA", "DZD"],
  ["ل.د د.ل LD", "LYD"],
  ["ج.س ج.س.", "SDG"],
  ["ش.ص", "SOS"],
  ["؋", "AFN"],
  ["KSh KShs Ksh KES/", "KES"],
  ["TSh TSh. Tsh", "TZS"],
  ["USh Ush", "UGX"],
  ["₦", "NGN"],
  ["GH₵ ₵", "GHS"],
  ["R", "ZAR"],
  ["CFA FCFA", "XOF XAF"],
  ["₣ R₣", "CHF"],
  ["franc francs", "XOF CHF"],
  ["FG GFr", "GNF"],
  ["FBu Fbu", "BIF"],
  ["Fdj", "DJF"],
  ["FRw RF", "RWF"],
  ["Nfk ናቕፋ نافكا", "ERN"],
  ["ብር", "ETB"],
  ["Ar", "MGA"],
  ["MK", "MWK"],
  ["ZK", "ZMW"],
  ["MT", "MZN"],
  ["UM", "MRU"],
  ["Db", "STN"],
  ["kwz Kz", "AOA"],
  ["Esc", "CVE"],
  ["Le Sl", "SLE"],
  ["SPL", "SPL"],
  ["VT Vt", "VUV"],
  ["S/. S/", "PEN"],
  ["B/.", "PAB"],
  ["₡", "CRC"],
  ["₲", "PYG"],
  ["L", "HNL"],
  ["Q q", "GTQ"],
  ["ƒ", "ANG AWG"],
  ["P", "BWP"],
  ["E", "SZL"],
  ["D", "GMD"],
  ["K", "PGK"],
  ["G", "HTG"],
  ["₿ Ƀ", "BTC"],
  ["₶ ¢", ""],
]

const bySign = new Map<string, string[]>()
for (const [signs, currencies] of signTable) {
  for (const sign of signs.split(" "))
    bySign.set(sign.replace("\u00a0", " "), currencies.split(" "))
}
bySign.set("دينار كويتي", ["KWD"])
bySign.set("دينار أردني", ["JOD"])

const currencyByCountry = new Map(
  (
    "AD:EUR AE:AED AF:AFN AL:ALL AM:AMD AO:AOA AR:ARS AT:EUR AU:AUD AZ:AZN BA:BAM BB:BBD BD:BDT " +
    "BE:EUR BG:BGN BH:BHD BI:BIF BM:BMD BN:BND BO:BOB BR:BRL BS:BSD BT:BTN BW:BWP BY:BYN BZ:BZD " +
    "CA:CAD CD:CDF CH:CHF CI:XOF CL:CLP CM:XAF CN:CNY CO:COP CR:CRC CU:CUP CY:EUR CZ:CZK DE:EUR " +
    "DJ:DJF DK:DKK DO:DOP DZ:DZD EC:USD EE:EUR EG:EGP ES:EUR ET:ETB FI:EUR FJ:FJD FR:EUR GB:GBP " +
    "UK:GBP GE:GEL GH:GHS GM:GMD GR:EUR GT:GTQ GY:GYD HK:HKD HN:HNL HR:EUR HU:HUF ID:IDR IE:EUR " +
    "IL:ILS IN:INR IQ:IQD IR:IRR IS:ISK IT:EUR JM:JMD JO:JOD JP:JPY KE:KES KG:KGS KH:KHR KR:KRW " +
    "KW:KWD KY:KYD KZ:KZT LA:LAK LB:LBP LI:CHF LK:LKR LT:EUR LU:EUR LV:EUR LY:LYD MA:MAD MC:EUR " +
    "MD:MDL ME:EUR MG:MGA MK:MKD MM:MMK MN:MNT MO:MOP MT:EUR MU:MUR MV:MVR MW:MWK MX:MXN MY:MYR " +
    "MZ:MZN NA:NAD NG:NGN NI:NIO NL:EUR NO:NOK NP:NPR NZ:NZD OM:OMR PA:PAB PE:PEN PG:PGK PH:PHP " +
    "PK:PKR PL:PLN PT:EUR PY:PYG QA:QAR RO:RON RS:RSD RU:RUB SA:SAR SD:SDG SE:SEK SG:SGD SI:EUR " +
    "SK:EUR SN:XOF SV:USD SY:SYP TH:THB TJ:TJS TN:TND TR:TRY TT:TTD TW:TWD TZ:TZS UA:UAH UG:UGX " +
    "US:USD UY:UYU UZ:UZS VE:VES VN:VND XK:EUR YE:YER ZA:ZAR ZM:ZMW"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
)

/** Amounts in these have three decimals. */
export const threeDecimals = new Set(["KWD", "BHD", "OMR", "TND", "JOD", "IQD", "LYD"])

/** Signs that mean money only right beside a number: single letters and everyday words. */
const unsafe = new RegExp(
  `^(?:${words(
    String.raw`\p{L}|\p{L}\.|Re|Le|Ar|Db|ID|LD|MT|MK|UM|BD|KM|ZK|VT|Vt|DT|DA|LL|SR|JD|KD|NT|RF|Rf|RM|TL|FG`,
    "din|som|lei|Lei|LEI|pound|franc|francs|won|км|с|nis|Esc|Sl|SPL|Nu|Ks|kn|kr|Kr|:-|ден|دينار|E",
    "Fr|lv|Dh|DH|Bs|Br|Ft",
  )})$`,
  "u",
)

/** Signs and codes, the longest first, so that `US$` is not taken for `$`. */
const writtenSigns = [...bySign.keys()].sort((a, b) => b.length - a.length)
const escaped = (sign: string) => sign.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(" ", "\\s?")

/** Letters of a sign must not go on in a word. */
function bounded(sign: string): string {
  const start = /^\p{L}/u.test(sign) ? "(?<!\\p{L})" : ""
  // "руб" also begins "рублей".
  const end = /\p{L}$/u.test(sign) && !/^руб$/i.test(sign) ? "(?!\\p{L})" : ""
  return `${start}${escaped(sign)}${end}`
}

const codePattern = `(?<!\\p{L})(?:${[...isoCodes].join("|")})(?!\\p{L})`
const codePatternLower = `(?<!\\p{L})(?:${[...isoCodes].join("|").toLowerCase()})(?!\\p{L})`
const allSigns = writtenSigns.map(bounded).join("|")
const safeSigns = writtenSigns
  .filter((sign) => !unsafe.test(sign))
  .map(bounded)
  .join("|")

const atEnd = new RegExp(`(?:${allSigns}|${codePattern}|${codePatternLower})\\s*[:=]?\\s*$`, "u")
const atStart = new RegExp(`^\\s*(?:${allSigns}|${codePattern}|${codePatternLower})`, "u")
const codeAtStart = new RegExp(`^\\s*(${codePattern})`, "u")
const codeBeforeDollar = new RegExp(`(${codePattern})\\s?\\$\\s*$`, "u")
const anywhere = new RegExp(`${safeSigns}|${codePattern}`, "u")

/** The sign that ends a text, right before an amount. */
export function signBefore(text: string): string | null {
  return tidy(atEnd.exec(text.slice(-24))?.[0])
}

/** The sign that starts a text, right after an amount. */
export function signAfter(text: string): string | null {
  return tidy(atStart.exec(text.slice(0, 24))?.[0])
}

/** A code on either side of an amount, which says more than the `$` at it. */
export function codeBeside(before: string, after: string): string | null {
  return tidy(
    codeBeforeDollar.exec(before.slice(-24))?.[1] ?? codeAtStart.exec(after.slice(0, 24))?.[1],
  )
}

/** The first sign or code in a text that means money wherever it stands. */
export function signIn(text: string): string | null {
  return tidy(anywhere.exec(text)?.[0])
}

/** A sign that is the whole text, such as the text of an element beside the amount. */
export function signAlone(text: string): string | null {
  const sign = text.trim()
  return bySign.has(sign) || isoCodes.has(sign.toUpperCase()) ? sign : null
}

const tidy = (match: string | undefined) => match?.replace(/[:=\s]*$/, "").trim() || null

/** Where a shop is, as far as a page tells. */
export interface Place {
  /** ISO 3166 alpha-2. */
  country?: string | null
  language?: string | null
}

/** The ISO code of a sign, a code or a name of money; null when only the place could tell. */
export function currencyOf(sign: string | null, place: Place = {}): string | null {
  if (sign === null) return null
  const upper = sign.toUpperCase()
  if (upper === "RMB") return "CNY"
  if (isoCodes.has(upper)) return upper
  const currencies = bySign.get(sign) ?? bySign.get(sign.replace(/\s/g, "")) ?? []
  const local = currencyByCountry.get(place.country?.toUpperCase() ?? "")
  if (local && currencies.includes(local)) return local
  const language = place.language?.slice(0, 2).toLowerCase()
  const byLanguage = {
    sv: "SEK",
    nb: "NOK",
    no: "NOK",
    nn: "NOK",
    da: "DKK",
    is: "ISK",
    zh: "CNY",
    ja: "JPY",
  }
  const spoken = byLanguage[language as keyof typeof byLanguage]
  if (spoken && currencies.includes(spoken)) return spoken
  return currencies.length > 1 && currencies.includes("SEK") ? null : currencies[0] || null
}

export function isCurrencyCode(text: string | null | undefined): text is string {
  return isoCodes.has(text ?? "")
}

/** The money of a country; undefined for countries that are not known. */
export function currencyOfCountry(country: string): string | undefined {
  return currencyByCountry.get(country.toUpperCase())
}
