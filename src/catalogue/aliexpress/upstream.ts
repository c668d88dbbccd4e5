import { upstreamTable } from "../kit/index.ts"

/** API call that the page's scripts make for a product, and their signing key. */
export const aliexpressTable = upstreamTable("aliexpress", "2026-10", {
  api: "mtop.aliexpress.pdp.pc.query",
  version: "1.0",
  appKey: "12574478",
  jsv: "2.5.1",
})
