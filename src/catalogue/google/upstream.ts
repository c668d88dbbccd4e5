import { upstreamTable } from "../kit/index.ts"

/** What all of Google's sites take. */
export const googleTable = upstreamTable("google", "2026-08", {
  /** The answers to the consent page that visitors from Europe are sent to. */
  consentCookies: { SOCS: "CAESHAgBEhIaAB", CONSENT: "YES+" },
})
