import { upstreamTable } from "../kit/index.ts"

/**
 * Positions in a store page's record of an app, and the name of the call for reviews. Positions
 * change about once a year.
 */
export const playTable = upstreamTable("google_play", "2026-08", {
  reviewsCall: "oCPfdb",
  record: [1, 2],
  title: [0, 0],
  contentRating: [9, 0],
  contentRatingDescription: [9, 2, 1],
  released: [10, 0],
  descriptionTranslated: [12, 0, 0, 1],
  installs: [13],
  availability: [18],
  inAppPrices: [19, 0],
  ads: [48],
  ratings: [51],
  offer: [57, 0, 0, 0, 0],
  playPass: [62],
  developer: [68],
  contact: [69],
  description: [72, 0, 1],
  summary: [73, 0, 1],
  screenshots: [78, 0],
  genre: [79, 0, 0],
  icon: [95, 0, 3, 2],
  headerImage: [96, 0, 3, 2],
  privacyPolicy: [99, 0, 5, 2],
  video: [100, 0, 0, 3, 2],
  videoImage: [100, 1, 0, 3, 2],
  categories: [118],
  version: [140, 0, 0, 0],
  androidVersion: [140, 1, 1, 0, 0, 1],
  androidMaxVersion: [140, 1, 1, 0, 1, 1],
  recentChanges: [144, 1, 1],
  updated: [145, 0, 1, 0],
})
export type PlayLayout = typeof playTable.values
