import { upstreamTable } from "../kit/index.ts"

/** Client values that the pages' scripts send with their requests. */
export const realtorTable = upstreamTable("realtor", "2026-07", {
  clientName: "RDC_WEB_DETAILS_PAGE",
  clientVersion: "3.x.x",
})
