import { upstreamTable } from "../kit/index.ts"

/** As whom the pages' own scripts call for data. */
export const realtorTable = upstreamTable("realtor", "2026-07", {
  clientName: "RDC_WEB_DETAILS_PAGE",
  clientVersion: "3.x.x",
})
