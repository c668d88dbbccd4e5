import { wordSet, words } from "../core/index.ts"

/** Words of class names and IDs that describe an element. */

const priceNames = wordSet(`
  cena ceny preis prix precio prezzo preco hinta pris prijs pret tarif kaina cijena fiyat stoimost
`)

/** "price" and its compounds. */
export const isPriceMark = (mark: string) =>
  mark.startsWith("price") || /prices?$/.test(mark) || priceNames.has(mark)

export const priceMarks = {
  /** The one to pay. */
  main: wordSet(`
    now current sale sales special final actual our ourprice offer selling buying main product
    detail today discounted pay big large aktualni aktuell primary value buybox
  `),
  /** The one before a reduction. */
  old: wordSet(`
    old was non list listprice regular before crossed cross strike strikethrough striked through
    original rrp msrp uvp pvp retail previous prev full ancien barre stara stary alt vorher
    statt compare base standard oldprice
  `),
  /** The same, but clear enough to need no word for price on the element itself. */
  surelyOld: wordSet(`
    old was regular before crossed strike strikethrough striked through original rrp msrp uvp
    previous prev vorher statt compare oldprice
  `),
  /** Other amounts: an instalment, a unit price, the delivery, the saving. */
  other: wordSet(`
    month monthly monthlyprice installment installments instalment instalments rata raty rate
    finance financing credit leasing unit unitprice per grundpreis points bonus shipping
    delivery versand postage save saving savings discount coupon voucher tax net netto excl
    excluding exvat novat deposit warranty insurance trade range filter from gift loyalty member
    club minimum subtotal total
  `),
  button: wordSet("btn button"),
} as const

/** `price--withoutTax` may be the only price there is, which `price-tax` is not. */
const withTax = wordSet("with without incl including")

/** Returns whether an element that shows a price names it as one of something else. */
export function isOtherPrice(marks: string[]): boolean {
  const named = marks.some((mark) => withTax.has(mark))
    ? marks.filter((mark) => mark !== "tax")
    : marks
  return named.some(
    (mark, at) =>
      priceMarks.other.has(mark) &&
      // `discount-price` is what is left, `price-discount` what is not.
      !(mark === "discount" && isPriceMark(named[at + 1] ?? "")),
  )
}

/** Parts of a page that belong to other products or to no product. */
export const elsewhereMarks = wordSet(`
  related similar recommend recommended recommendation recommendations recs crosssell upsell
  upsells upselling alsobought also accessories accessory accesories recently viewed history
  bestseller bestsellers sponsored sponsor bundle bundles footer nav navigation menu megamenu
  minicart minibasket compare comparison review reviews comments question questions faq
  newsletter breadcrumb breadcrumbs alternatives suggestions suggested suggest sims
  similarities carousel teaser teasers advert ads ad topbar search autocomplete swatch twister
  others together thumb zusammen ahnliche podobne podobné
`)
export const elsewhereElements = new Set(["footer", "nav", "header"])

/** Parts that are lists of other products in one shop, and the product's own details in another. */
export const apartMarks = wordSet(`
  banner products listing grid header tile tiles popup tooltip promo
`)

/** Words in the class of elements that show the availability. */
export const stockMarks = wordSet(`
  availability available stock instock outofstock inventory dostupnost verfugbarkeit
  disponibilidad disponibilite lieferbarkeit lager sklad voorraad soldout
`)

/** Names of the buy button in class, id or script. */
export const buyNames = new RegExp(
  words(`
    add[-_ ]?to[-_ ]?(?:cart|bag|basket|trolley)|buy[-_ ]?(?:now|button|btn|it)
    (?:btn|button)[-_ ]?(?:cart|buy|basket)|(?:cart|basket)[-_ ]?(?:add|button|btn|submit)
    single_add_to_cart|add2cart|product-form__submit
  `),
  "i",
)
