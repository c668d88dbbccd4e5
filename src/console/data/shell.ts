/** What the service wrote into the page that loaded this. */
const told = document.documentElement.dataset

/** The path under which the service is reached; mostly "". */
export const base = told.base ?? ""

/** The service's public address, as programs call it. */
export const root = told.root ?? location.origin

export const freeDaily = Number(told.freeDaily ?? 0)
export const signupCredits = Number(told.signupCredits ?? 0)
export const signUpOpen = told.signUp === "open"
export const scraperCount = Number(told.scrapers ?? 0)
/** Address of the account that is signed in here. */
export const account = told.account
/** It owns the service, and may operate it. */
export const isOwner = told.role === "owner"
