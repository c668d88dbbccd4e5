import { airbnbTable } from "./airbnb/search-call.ts"
import { aliexpressTable } from "./aliexpress/aliexpress.ts"
import { storeTable } from "./chrome-web-store/layout.ts"
import { craigslistTable } from "./craigslist/craigslist.ts"
import { googleTable } from "./google/google.ts"
import { mapsTable } from "./google/maps-place.ts"
import { playTable } from "./google/play.ts"
import { searchTable } from "./google/results.ts"
import { instagramTable } from "./instagram/instagram.ts"
import type { UpstreamTable } from "./kit/index.ts"
import { pinterestTable } from "./pinterest/pinterest.ts"
import { realtorTable } from "./realtor/upstream.ts"
import { targetTable } from "./target-stores/upstream.ts"
import { tiktokTable } from "./tiktok/upstream.ts"
import { twitchTable } from "./twitch/upstream.ts"
import { xTable } from "./x/upstream.ts"
import { yelpTable } from "./yelp/upstream.ts"
import { youtubeTable } from "./youtube/upstream.ts"

/** All tables of site constants, by site. */
export const upstreamTables: readonly UpstreamTable[] = [
  airbnbTable,
  aliexpressTable,
  storeTable,
  craigslistTable,
  googleTable,
  mapsTable,
  playTable,
  searchTable,
  instagramTable,
  pinterestTable,
  realtorTable,
  targetTable,
  tiktokTable,
  twitchTable,
  xTable,
  yelpTable,
  youtubeTable,
]

/** Slugs of the scrapers that use the table of a site. */
export const tableReaders: Readonly<Record<string, readonly string[]>> = {
  airbnb: ["airbnb-listings-scraper"],
  aliexpress: ["aliexpress-product-scraper"],
  chrome_web_store: ["chrome-web-store-scraper"],
  craigslist: ["craigslist-search-scraper"],
  google: [
    "google-maps-scraper",
    "google-news-scraper",
    "google-play-app-scraper",
    "google-play-reviews-scraper",
    "google-search-scraper",
    "google-trends-scraper",
  ],
  google_maps: ["google-maps-scraper"],
  google_play: ["google-play-app-scraper", "google-play-reviews-scraper"],
  google_search: ["google-search-scraper"],
  instagram: ["instagram-hashtag-scraper", "instagram-posts-scraper", "instagram-profile-scraper"],
  pinterest: ["pinterest-search-scraper"],
  realtor: ["realtor-property-scraper"],
  target: ["target-product-scraper"],
  tiktok: ["tiktok-profile-scraper"],
  twitch: ["twitch-channel-scraper"],
  x: ["twitter-profile-scraper", "twitter-search-scraper"],
  yelp: ["yelp-business-scraper"],
  youtube: ["youtube-playlist-scraper", "youtube-search-scraper", "youtube-video-metadata"],
}
