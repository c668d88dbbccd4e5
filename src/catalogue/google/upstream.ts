import { upstreamTable } from "../kit/index.ts"

/** Site constants that all of Google's sites share. */
export const googleTable = upstreamTable("google", "2026-08", {
  /** Cookies that accept the consent page, which visitors from Europe are sent to. */
  consentCookies: { SOCS: "CAESHAgBEhIaAB", CONSENT: "YES+" },
})
