import { upstreamTable } from "../kit/index.ts"

/** The call by which the page's scripts ask for a product, and the key that they sign with. */
export const aliexpressTable = upstreamTable("aliexpress", "2026-10", {
  api: "mtop.aliexpress.pdp.pc.query",
  version: "1.0",
  appKey: "12574478",
  jsv: "2.5.1",
})
