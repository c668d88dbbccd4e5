import { upstreamTable } from "../kit/index.ts"

/** The client whose calls YouTube's own pages make. */
export const youtubeTable = upstreamTable("youtube", "2026-07", {
  clientName: "WEB",
  clientId: "1",
  clientVersion: "2.20260708.00.00",
  /** The answer to the consent page that visitors from Europe are sent to. */
  consentCookies: { SOCS: "CAI" },
})
