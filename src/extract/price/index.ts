/** Prices, currencies and availability in the texts and codes of any country. */
export {
  type Availability,
  availabilities,
  availabilityInText,
  availabilityOf,
  isInStock,
} from "./availability.ts"
export {
  currencyOf,
  currencyOfCountry,
  isCurrencyCode,
  type Locale,
  signAlone,
} from "./currencies.ts"
export { localeOfPage as placeOfPage, numberIn } from "./numbers.ts"
export { type Price, type PriceHints, parseAmount, parsePrice } from "./prices.ts"
