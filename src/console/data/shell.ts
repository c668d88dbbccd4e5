/** What the service wrote into the page that loaded this. */
const reported = document.documentElement.dataset

/** The path under which the service is reached; mostly "". */
export const base = reported.base ?? ""

/** The service's public address, as programs call it. */
export const root = reported.root ?? location.origin

export const freeDaily = Number(reported.freeDaily ?? 0)
export const signupCredits = Number(reported.signupCredits ?? 0)
export const signUpOpen = reported.signUp === "open"
export const scraperCount = Number(reported.scrapers ?? 0)
/** Address of the account that is signed in here. */
export const account = reported.account
/** It owns the service, and may operate it. */
export const isOwner = reported.role === "owner"
