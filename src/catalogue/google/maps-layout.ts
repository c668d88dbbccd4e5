import { upstreamTable } from "../kit/index.ts"

/** Positions in Google's arrays for places; they change about once a year. */
export const mapsTable = upstreamTable("google_maps", "2026-08", {
  /** In a response: the list of a search, a place in a list entry, a single place, and its ID. */
  results: [0, 1],
  entry: [14],
  place: [6],
  placeCid: [25, 3, 0, 13, 0, 0, 1],
  /** In a place. */
  addressLines: [2],
  priceLevel: [4, 2],
  reviewsUrl: [4, 3, 0],
  rating: [4, 7],
  reviewCount: [4, 8],
  priceText: [4, 10],
  website: [7, 0],
  latitude: [9, 2],
  longitude: [9, 3],
  dataId: [10],
  title: [11],
  categories: [13],
  titledAddress: [18],
  url: [27],
  timezone: [30],
  description: [32, 1, 1],
  oldHours: [34, 1],
  status: [34, 4, 4],
  menuUrl: [38, 0],
  address: [39],
  reservations: [46],
  claimText: [49, 1],
  owner: [57],
  thumbnail: [72, 0, 1, 6, 0],
  orders: [75, 0],
  placeId: [78],
  popularTimes: [84, 0],
  attributes: [100, 1],
  images: [171, 0],
  reviewsPerRating: [175, 3],
  phone: [178, 0, 0],
  addressParts: [183, 1],
  plusCode: [183, 2, 2, 0],
  hours: [203, 0],
  /** Parameter "pb" of the API, for a search around a point and for a single place. */
  searchParameter:
    "!4m12!1m3!1d3826.902183192154!2d{longitude}!3d{latitude}!2m3!1f0!2f0!3f0!3m2!1i600!2i800!4f{zoom}!7i{count}!8i0!10b1!12m22!1m3!18b1!30b1!34e1!2m3!5m1!6e2!20e3!4b0!10b1!12b1!13b1!16b1!17m1!3e1!20m3!5e2!6b1!14b1!46m1!1b0!96b1!19m4!2m3!1i360!2i120!4i8",
  placeParameter:
    "!1m14!1s{dataId}!3m9!1m3!1d10000!2d{longitude}!3d{latitude}!2m0!3m2!1i1024!2i768!4f13.1!4m2!3d{latitude}!4d{longitude}",
})
/** Only the positions. */
export type MapsLayout = Omit<typeof mapsTable.values, "searchParameter" | "placeParameter">
