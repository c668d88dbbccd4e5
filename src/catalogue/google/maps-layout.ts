/**
 * Where Google's arrays on a place hold what. Positions move about once a year; an operator may
 * correct them (TRAWL_UPSTREAM_GOOGLE_MAPS).
 */
export const mapsLayout = {
  /** Of an answer: the list of a search, a place in an entry of it, a place alone, its number. */
  results: [0, 1],
  entry: [14],
  place: [6],
  placeCid: [25, 3, 0, 13, 0, 0, 1],
  /** Of a place. */
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
}
export type MapsLayout = typeof mapsLayout
