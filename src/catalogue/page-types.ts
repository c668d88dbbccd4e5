/** Pages of sites that have several scrapers, by host and path without `www.`, and the scraper of each. */
const pageTypes: [page: RegExp, slug: string][] = [
  [/^github\.com\/trending\b/, "github-trending-scraper"],
  [/^github\.com\/(?:orgs\/)?[\w-]+\/?$/, "github-user-scraper"],
  [/^github\.com\/[\w-]+\/[\w.-]+\/?$/, "github-repo-scraper"],
  [/^tiktok\.com\/@[\w.]+\/?$/, "tiktok-profile-scraper"],
  [/^instagram\.com\/(?:p|reels?)\//, "instagram-posts-scraper"],
  [/^instagram\.com\/[\w.]+\/?$/, "instagram-profile-scraper"],
  [/^(?:x|twitter)\.com\/(?:search|hashtag)\b/, "twitter-search-scraper"],
  [/^(?:m\.)?youtube\.com\/results\b/, "youtube-search-scraper"],
  [/^(?:(?:m\.)?youtube\.com\/(?:watch|shorts\/)|youtu\.be\/)/, "youtube-video-metadata"],
  [/^(?:\w+\.)?reddit\.com\/search\b/, "reddit-search-scraper"],
  [/^(?:\w+\.)?reddit\.com\/r\/\w+\/?$/, "reddit-scraper"],
  [/^apps\.apple\.com\//, "app-store-scraper"],
  [/^podcasts\.apple\.com\//, "podcast-episodes-scraper"],
  [/^play\.google\.com\//, "google-play-app-scraper"],
  [/^chromewebstore\.google\.com\//, "chrome-web-store-scraper"],
  [/^news\.google\.com\//, "google-news-scraper"],
  [/^trends\.google\.com\//, "google-trends-scraper"],
  [/^(?:maps\.google\.[a-z.]+\/|google\.[a-z.]+\/maps\b)/, "google-maps-scraper"],
  [/^google\.[a-z.]+\/search\b/, "google-search-scraper"],
  [/^amazon\.[a-z.]+\/(?:s\b|s\/|b\b|gp\/bestsellers)/, "amazon-search-scraper"],
  [/^amazon\.[a-z.]+\/(?:.*\/)?product-reviews\//, "amazon-reviews-scraper"],
  [/^walmart\.com\/(?:search|browse)\b/, "walmart-search-scraper"],
  [/^ebay\.[a-z.]+\/(?:sch|b)\//, "ebay-search-scraper"],
  [/^stackoverflow\.com\/questions\/tagged\//, "stack-overflow-scraper"],
  [/^\w+\.wikipedia\.org\/w\/index\.php.*\bsearch=/, "wikipedia-search-scraper"],
  [/^news\.ycombinator\.com\/(?:news|newest|front|best|ask|show)?\/?$/, "hacker-news-scraper"],
]

/** Returns the slug of the scraper for the type of page that a URL has, or undefined for other pages. */
export function scraperOfPage(url: string): string | undefined {
  const { hostname, pathname, search } = new URL(url)
  const page = `${hostname.replace(/^www\./, "")}${pathname}${search}`.slice(0, maxPage)
  return pageTypes.find(([form]) => form.test(page))?.[1]
}

const maxPage = 2000
