/** Companies and how to reach them: addresses, phones, mail, registrations. */
export {
  companyFacts,
  foundingYearIn,
  iconOf,
  isParked,
  legalNameAmong,
  logoOf,
  servicesOf,
} from "./company.ts"
export { contactLinks } from "./contact-links.ts"
export { ownerName, readContacts } from "./contacts.ts"
export {
  emailPatterns,
  localPart,
  nameParts,
  patternByShape,
  patternOf,
} from "./email-patterns.ts"
export type { EmailMatch } from "./emails.ts"
export { mailProviderOf } from "./mail-providers.ts"
