import { upstreamTable } from "../kit/index.ts"

/** Stored query of the list of reviews. */
export const yelpTable = upstreamTable("yelp", "2026-08", {
  reviewsDocument: "ef51f33d1b0eccc958dddbf6cde15739c48b34637a00ebe316441031d4bf7681",
})
