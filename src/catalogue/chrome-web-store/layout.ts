import { upstreamTable } from "../kit/index.ts"

/** Positions and class names of the values in the store's pages. */
export const storeTable = upstreamTable("chrome_web_store", "2026-08", {
  /** Positions in the first element of the page's own data (`AF_initDataCallback`, key ds:0). */
  itemAt: {
    id: 0,
    icon: 1,
    name: 2,
    rating: 3,
    ratingCount: 4,
    tile: 5,
    summary: 6,
    homepage: 7,
    category: 11,
    users: 14,
    featureImage: 16,
    published: 17,
    manifest: 18,
  },
  /** Positions in the page's data (`AF_initDataCallback`, key ds:0). */
  pageAt: {
    item: 0,
    screenshots: 5,
    description: 6,
    developer: 10,
    version: 13,
    updated: 14,
    size: 15,
    languageNames: 16,
    minChromeVersion: 27,
  },
  /** Class names of the values in the page, from 2024 to 2026. */
  classes: {
    users: ".F9iKBc",
    rating: ".j3zrsd .Vq0ZA",
    ratingCount: ".xJEoWe",
    version: ".nBZElf, .N3EXSc",
    size: ".ZSMSLb",
    updated: ".uBIrad",
  },
})
export type StoreLayout = typeof storeTable.values
