/** Values that the service wrote into the page. */
const reported = document.documentElement.dataset

/** Path under which the service is reachable; usually "". */
export const base = reported.base ?? ""

/** Public root URL of the service, for programs. */
export const root = reported.root ?? location.origin

export const freeDaily = Number(reported.freeDaily ?? 0)
export const signupCredits = Number(reported.signupCredits ?? 0)
export const signUpOpen = reported.signUp === "open"
export const scraperCount = Number(reported.scrapers ?? 0)
/** Address of the account that is signed in here. */
export const account = reported.account
/** Whether the account is an administrator. */
export const isOwner = reported.role === "owner"
