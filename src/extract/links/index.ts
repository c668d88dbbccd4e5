/** URLs: completed, normalised, compared; links, redirects, and a crawl's frontier. */
export { canonicalUrl, canonicalUrls } from "./canonical.ts"
export { checkableLinks } from "./checkable-links.ts"
export { type Host, readHost, registrableDomain, unicodeDomain } from "./domains.ts"
export { mayFollow } from "./followable-links.ts"
export {
  completeUrl,
  isDocumentAddress,
  isPageUrl,
  normaliseUrl,
  ownerDomain,
  sameSite,
  TrapDetector,
} from "./frontier.ts"
export {
  distinctAddresses,
  type PageLink,
  pageLinks,
  refreshTarget,
  robotsMeta,
} from "./page-links.ts"
export { PatternError, pattern } from "./path-pattern.ts"
export { headerRedirect, isRedirect, type NextHop, pageRedirect } from "./redirects.ts"
