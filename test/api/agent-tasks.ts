import { casesUnder, ownCases } from "../corpus-run.ts"

/**
 * A need in a user's words, the scraper and recorded upstream for it, and a fact of the right
 * answer.
 */
export const tasks: [need: string, slug: string, recorded: string, fact: string][] = [
  [
    "newest version of a Python package and its licence",
    "pypi-package-scraper",
    "old-times-two-licences",
    "Apache Software License OR BSD License",
  ],
  ["what does this kettle cost on Amazon", "amazon-product-scraper", "kettle-de", "1049.95"],
  [
    "jobs at a company with their salaries",
    "greenhouse-jobs-scraper",
    "board-and-missing",
    "50000",
  ],
  ["how often was a paper cited", "openalex-scraper", "search-with-cursor", "10.5555/w.1"],
  [
    "reviews of an Android app",
    "google-play-reviews-scraper",
    "two-pages-none-missing",
    "Thank you",
  ],
  [
    "contact e-mail of a toolmaker from its website",
    "contact-info-extractor",
    "toolmaker-and-silence",
    "zentrale@nordkai-werkzeuge.de",
  ],
  [
    "Markdown copy of the docs of a library",
    "docs-crawler-scraper",
    "small-docs",
    "https://windlass.example/guide/install/",
  ],
  ["alert me when this lamp gets cheaper", "price-monitor", "cheaper-than-before", "129.9"],
  ["top stories on Hacker News", "hacker-news-scraper", "show-with-comments", "Nice 'work'"],
  ["who owns this domain", "whois-rdap-scraper", "registrant-at-registrar", "Pilot Station Ltd"],
  [
    "fields of a page as a table by CSS selectors",
    "web-scraper",
    "fields-of-an-article",
    "The lamps of Corrie harbour burn again",
  ],
  ["is this site down", "uptime-checker", "findings", "http_error"],
  [
    "questions and answers of an FAQ page",
    "faq-extractor-scraper",
    "help-page-and-missing-page",
    "How do I hire a bike?",
  ],
  [
    "views and upload date of a YouTube video",
    "youtube-video-metadata",
    "live-and-upcoming",
    "1234",
  ],
  [
    "Trustpilot reviews of a company as CSV",
    "trustpilot-reviews-scraper",
    "two-pages-and-missing",
    "www.bluekettle.example",
  ],
  ["Zillow facts of a condo", "zillow-property-scraper", "condo", "201500"],
  [
    "search the web",
    "duckduckgo-search-scraper",
    "html-challenged-lite-answers",
    "Why the sea rises.",
  ],
  [
    "stock price over the last three months",
    "stock-price-history-scraper",
    "events-gaps-and-twins",
    "Ink plc",
  ],
  [
    "MX records of a domain",
    "dns-records-scraper",
    "all-types-and-missing",
    "a.mail.protection.outlook.com",
  ],
  [
    "is the certificate of my site valid",
    "certificate-expiry-monitor",
    "verdicts",
    "CERT_NOT_YET_VALID",
  ],
  [
    "how often is the npm package tides downloaded",
    "npm-package-scraper",
    "downloads-of-both-spans",
    "4200",
  ],
  [
    "licence and owner of acme/tides on GitHub",
    "github-repo-scraper",
    "moved-missing-fork",
    "acme-labs/tides",
  ],
  ["newest stable release of acme/tides", "github-releases-scraper", "filters-and-missing", "v1.9"],
  [
    "summary of the Old tower from Wikipedia",
    "wikipedia-scraper",
    "tower-and-missing",
    "The Tower of Examples is a tower.",
  ],
  [
    "runtime and release date of a movie",
    "imdb-title-scraper",
    "page-walled-service-asked",
    "2021-04-09",
  ],
  ["Tomatometer of Paper Moons", "rotten-tomatoes-scraper", "film-series-search", "Paper Moons"],
  ["how many yen is one dollar", "exchange-rates-scraper", "all-of-the-latest", "120.4"],
  [
    "current price of a crypto coin in euros",
    "coingecko-coins-scraper",
    "group-of-ids",
    "quillcoin",
  ],
  ["reddit posts about tomatoes", "reddit-search-scraper", "one-query-twice-paged", "Second"],
  [
    "YouTube videos about tides",
    "youtube-search-scraper",
    "two-pages-and-lockup",
    "How tides work",
  ],
  ["cafes in a town with their ratings", "google-maps-scraper", "later-page-walled", "Place 23"],
  [
    "name and facilities of a hotel on Booking.com",
    "booking-hotel-scraper",
    "forbidden-then-chrome",
    "Harbour Inn",
  ],
  ["baker jobs in Leeds", "indeed-jobs-scraper", "app-api", "Crumb Ltd"],
  [
    "abstract of an arXiv preprint by its number",
    "arxiv-scraper",
    "addresses-one-unknown",
    "3102.00001",
  ],
  ["newest entries of an RSS feed", "rss-feed-reader", "announced-by-a-page", "Hemp is back"],
  [
    "all URLs in the sitemap of a site",
    "sitemap-extractor",
    "index-with-a-dead-child",
    "https://quiet-harbour.com/?a=1&b=2",
  ],
  [
    "which CMS and shop software does a site use",
    "tech-stack-detector",
    "shop-and-wall",
    "WooCommerce",
  ],
  [
    "where does a short link lead",
    "redirect-tracker-scraper",
    "shortened-link-and-loop",
    "https://www.shop.example.org/spring/#deals",
  ],
  [
    "subscribers and latest messages of a Telegram channel",
    "telegram-channel-scraper",
    "two-pages-and-a-user",
    "27400",
  ],
  [
    "developer and price of an iOS app",
    "app-store-scraper",
    "lookup-by-address-bundle-limit",
    "Harbour Lab",
  ],
]

/** Returns the recorded case of each scraper of a task. */
export const cases = new Map(
  tasks.map(([, slug, name]) => {
    const found = casesUnder(ownCases, slug).find((one) => one.case === name)
    if (!found) throw new Error(`There is no case ${slug}/${name}.`)
    return [slug, found] as const
  }),
)
