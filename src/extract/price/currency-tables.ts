import { wordSet } from "../core/index.ts"

/** ISO 4217 codes in use, and those of coins and old money that shops and archives still show. */
export const isoCodes = wordSet(`
  AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTC BTN BWP
  BYN BYR BZD CAD CDF CHF CLP CNY COP CRC CUC CUP CVE CZK DEM DJF DKK DOP DZD EGP ERN ETB ETH EUR
  FJD FKP FRF GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK ITL JMD
  JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LTL LVL LYD MAD MDL MGA MKD MMK
  MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PTE PYG
  QAR RMB RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS
  TMT TND TOP TRY TTD TWD TZS UAH UGX USD USDT UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW
  ZWL
`)

/** Each sign with the currencies that use it, the likeliest first; none: only the place decides. */
export const signTable: [signs: string, currencies: string][] = [
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

/** The currency of each country. */
export const countryCurrencies = wordSet(`
  AD:EUR AE:AED AF:AFN AL:ALL AM:AMD AO:AOA AR:ARS AT:EUR AU:AUD AZ:AZN BA:BAM BB:BBD BD:BDT
  BE:EUR BG:BGN BH:BHD BI:BIF BM:BMD BN:BND BO:BOB BR:BRL BS:BSD BT:BTN BW:BWP BY:BYN BZ:BZD
  CA:CAD CD:CDF CH:CHF CI:XOF CL:CLP CM:XAF CN:CNY CO:COP CR:CRC CU:CUP CY:EUR CZ:CZK DE:EUR
  DJ:DJF DK:DKK DO:DOP DZ:DZD EC:USD EE:EUR EG:EGP ES:EUR ET:ETB FI:EUR FJ:FJD FR:EUR GB:GBP
  UK:GBP GE:GEL GH:GHS GM:GMD GR:EUR GT:GTQ GY:GYD HK:HKD HN:HNL HR:EUR HU:HUF ID:IDR IE:EUR
  IL:ILS IN:INR IQ:IQD IR:IRR IS:ISK IT:EUR JM:JMD JO:JOD JP:JPY KE:KES KG:KGS KH:KHR KR:KRW
  KW:KWD KY:KYD KZ:KZT LA:LAK LB:LBP LI:CHF LK:LKR LT:EUR LU:EUR LV:EUR LY:LYD MA:MAD MC:EUR
  MD:MDL ME:EUR MG:MGA MK:MKD MM:MMK MN:MNT MO:MOP MT:EUR MU:MUR MV:MVR MW:MWK MX:MXN MY:MYR
  MZ:MZN NA:NAD NG:NGN NI:NIO NL:EUR NO:NOK NP:NPR NZ:NZD OM:OMR PA:PAB PE:PEN PG:PGK PH:PHP
  PK:PKR PL:PLN PT:EUR PY:PYG QA:QAR RO:RON RS:RSD RU:RUB SA:SAR SD:SDG SE:SEK SG:SGD SI:EUR
  SK:EUR SN:XOF SV:USD SY:SYP TH:THB TJ:TJS TN:TND TR:TRY TT:TTD TW:TWD TZ:TZS UA:UAH UG:UGX
  US:USD UY:UYU UZ:UZS VE:VES VN:VND XK:EUR YE:YER ZA:ZAR ZM:ZMW
`)

/** Amounts in these have three decimals. */
export const threeDecimals = new Set(["KWD", "BHD", "OMR", "TND", "JOD", "IQD", "LYD"])

/** Signs that mean money only next to a number, as any single letter does: everyday words. */
export const everydaySigns = wordSet(`
  Re Le Ar Db ID LD MT MK UM BD KM ZK VT Vt DT DA LL SR JD KD NT RF Rf RM TL FG din som lei Lei LEI
  pound franc francs won км с nis Esc Sl SPL Nu Ks kn kr Kr :- ден دينار E Fr lv Dh DH Bs Br Ft
`)
