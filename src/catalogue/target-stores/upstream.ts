import { upstreamTable } from "../kit/index.ts"

/** Values that the shop's own scripts send. */
export const targetTable = upstreamTable("target", "2026-08", {
  /** The public key of the web shop. */
  key: "9f36aeafbe60771e321a7cc95a78140772ab3e96",
  storeId: "3991",
  zip: "94103",
})
