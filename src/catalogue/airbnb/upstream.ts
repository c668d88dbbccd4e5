import { upstreamTable } from "../kit/index.ts"

/** Stored query ID of the search and the API key that the pages' scripts send. */
export const airbnbTable = upstreamTable("airbnb", "2026-05", {
  StaysSearch: "753d97c7b19a1a402d2fa63882ff4d6802004d11f2499647deef923a19a1641a",
  apiKey: "d306zoyjsyarp7ifhu67rjxn52tv0t20",
})
