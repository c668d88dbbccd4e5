import appStoreReviewsScraper from "./apps/app-store-reviews-scraper.ts"
import appStoreScraper from "./apps/app-store-scraper.ts"
import googlePlayAppScraper from "./apps/google-play-app-scraper.ts"
import googlePlayReviewsScraper from "./apps/google-play-reviews-scraper.ts"
import itunesReviewsScraper from "./apps/itunes-reviews-scraper.ts"
import bbbBusinessScraper from "./business/bbb-business-scraper.ts"
import clutchAgenciesScraper from "./business/clutch-agencies-scraper.ts"
import companyEnrichmentScraper from "./business/company-enrichment-scraper.ts"
import contactInfoExtractor from "./business/contact-info-extractor.ts"
import emailFinderScraper from "./business/email-finder-scraper.ts"
import googleMapsScraper from "./business/google-maps-scraper.ts"
import yellowpagesScraper from "./business/yellowpages-scraper.ts"
import federalRegisterScraper from "./data/federal-register-scraper.ts"
import type { AnyScraper } from "./define.ts"
import chromeWebStoreScraper from "./developer/chrome-web-store-scraper.ts"
import cratesIoScraper from "./developer/crates-io-scraper.ts"
import dockerHubScraper from "./developer/docker-hub-scraper.ts"
import dockerHubSearchScraper from "./developer/docker-hub-search-scraper.ts"
import githubIssuesScraper from "./developer/github-issues-scraper.ts"
import githubReleasesScraper from "./developer/github-releases-scraper.ts"
import githubRepoScraper from "./developer/github-repo-scraper.ts"
import githubRepoSearchScraper from "./developer/github-repo-search-scraper.ts"
import githubTrendingScraper from "./developer/github-trending-scraper.ts"
import githubUserScraper from "./developer/github-user-scraper.ts"
import gitlabProjectsScraper from "./developer/gitlab-projects-scraper.ts"
import npmPackageScraper from "./developer/npm-package-scraper.ts"
import packagistPackageScraper from "./developer/packagist-package-scraper.ts"
import pypiPackageScraper from "./developer/pypi-package-scraper.ts"
import rubygemsPackageScraper from "./developer/rubygems-package-scraper.ts"
import stackOverflowScraper from "./developer/stack-overflow-scraper.ts"
import stackexchangeAnswersScraper from "./developer/stackexchange-answers-scraper.ts"
import vscodeMarketplaceScraper from "./developer/vscode-marketplace-scraper.ts"
import aliexpressProductScraper from "./ecommerce/aliexpress-product-scraper.ts"
import amazonProductScraper from "./ecommerce/amazon-product-scraper.ts"
import amazonReviewsScraper from "./ecommerce/amazon-reviews-scraper.ts"
import amazonSearchScraper from "./ecommerce/amazon-search-scraper.ts"
import bestbuyProductScraper from "./ecommerce/bestbuy-product-scraper.ts"
import craigslistSearchScraper from "./ecommerce/craigslist-search-scraper.ts"
import ebayProductScraper from "./ecommerce/ebay-product-scraper.ts"
import ebaySearchScraper from "./ecommerce/ebay-search-scraper.ts"
import ecommerceProductScraper from "./ecommerce/ecommerce-product-scraper.ts"
import etsyProductScraper from "./ecommerce/etsy-product-scraper.ts"
import homedepotProductScraper from "./ecommerce/homedepot-product-scraper.ts"
import priceMonitor from "./ecommerce/price-monitor.ts"
import shopifyProductsScraper from "./ecommerce/shopify-products-scraper.ts"
import targetProductScraper from "./ecommerce/target-product-scraper.ts"
import walmartProductScraper from "./ecommerce/walmart-product-scraper.ts"
import walmartSearchScraper from "./ecommerce/walmart-search-scraper.ts"
import bitcoinAddressScraper from "./finance/bitcoin-address-scraper.ts"
import coingeckoCoinsScraper from "./finance/coingecko-coins-scraper.ts"
import coinpaprikaScraper from "./finance/coinpaprika-scraper.ts"
import cryptoPriceHistoryScraper from "./finance/crypto-price-history-scraper.ts"
import defillamaScraper from "./finance/defillama-scraper.ts"
import exchangeRatesScraper from "./finance/exchange-rates-scraper.ts"
import finvizScreenerScraper from "./finance/finviz-screener-scraper.ts"
import secCompanyFactsScraper from "./finance/sec-company-facts-scraper.ts"
import secFilingsScraper from "./finance/sec-filings-scraper.ts"
import stockPriceHistoryScraper from "./finance/stock-price-history-scraper.ts"
import yahooFinanceQuoteScraper from "./finance/yahoo-finance-quote-scraper.ts"
import greenhouseJobsScraper from "./jobs/greenhouse-jobs-scraper.ts"
import hackerNewsHiringScraper from "./jobs/hacker-news-hiring-scraper.ts"
import indeedJobsScraper from "./jobs/indeed-jobs-scraper.ts"
import leverJobsScraper from "./jobs/lever-jobs-scraper.ts"
import remoteokJobsScraper from "./jobs/remoteok-jobs-scraper.ts"
import weworkremotelyJobsScraper from "./jobs/weworkremotely-jobs-scraper.ts"
import deezerArtistScraper from "./media/deezer-artist-scraper.ts"
import goodreadsBookScraper from "./media/goodreads-book-scraper.ts"
import imdbSearchScraper from "./media/imdb-search-scraper.ts"
import imdbTitleScraper from "./media/imdb-title-scraper.ts"
import musicbrainzArtistScraper from "./media/musicbrainz-artist-scraper.ts"
import openlibraryBooksScraper from "./media/openlibrary-books-scraper.ts"
import podcastEpisodesScraper from "./media/podcast-episodes-scraper.ts"
import podcastSearchScraper from "./media/podcast-search-scraper.ts"
import rottenTomatoesScraper from "./media/rotten-tomatoes-scraper.ts"
import certificateExpiryMonitor from "./network/certificate-expiry-monitor.ts"
import dnsRecordsScraper from "./network/dns-records-scraper.ts"
import sslCertScraper from "./network/ssl-cert-scraper.ts"
import uptimeChecker from "./network/uptime-checker.ts"
import whoisRdapScraper from "./network/whois-rdap-scraper.ts"
import bingNewsScraper from "./news/bing-news-scraper.ts"
import frontpageHeadlinesScraper from "./news/frontpage-headlines-scraper.ts"
import gdeltNewsScraper from "./news/gdelt-news-scraper.ts"
import googleNewsScraper from "./news/google-news-scraper.ts"
import hackerNewsCommentsScraper from "./news/hacker-news-comments-scraper.ts"
import hackerNewsScraper from "./news/hacker-news-scraper.ts"
import lobstersScraper from "./news/lobsters-scraper.ts"
import rssFeedReader from "./news/rss-feed-reader.ts"
import apartmentsListingsScraper from "./real-estate/apartments-listings-scraper.ts"
import realtorPropertyScraper from "./real-estate/realtor-property-scraper.ts"
import redfinListingsScraper from "./real-estate/redfin-listings-scraper.ts"
import zillowPropertyScraper from "./real-estate/zillow-property-scraper.ts"
import arxivScraper from "./research/arxiv-scraper.ts"
import crossrefScraper from "./research/crossref-scraper.ts"
import openalexScraper from "./research/openalex-scraper.ts"
import pubmedScraper from "./research/pubmed-scraper.ts"
import semanticScholarScraper from "./research/semantic-scholar-scraper.ts"
import wikipediaScraper from "./research/wikipedia-scraper.ts"
import wikipediaSearchScraper from "./research/wikipedia-search-scraper.ts"
import capterraReviewsScraper from "./reviews/capterra-reviews-scraper.ts"
import g2ReviewsScraper from "./reviews/g2-reviews-scraper.ts"
import glassdoorCompanyScraper from "./reviews/glassdoor-company-scraper.ts"
import sitejabberReviewsScraper from "./reviews/sitejabber-reviews-scraper.ts"
import trustpilotReviewsScraper from "./reviews/trustpilot-reviews-scraper.ts"
import yelpBusinessScraper from "./reviews/yelp-business-scraper.ts"
import bingSearchScraper from "./search/bing-search-scraper.ts"
import duckduckgoSearchScraper from "./search/duckduckgo-search-scraper.ts"
import googleAutocompleteScraper from "./search/google-autocomplete-scraper.ts"
import googleSearchScraper from "./search/google-search-scraper.ts"
import googleTrendsScraper from "./search/google-trends-scraper.ts"
import blueskyProfileScraper from "./social/bluesky-profile-scraper.ts"
import instagramHashtagScraper from "./social/instagram-hashtag-scraper.ts"
import instagramPostsScraper from "./social/instagram-posts-scraper.ts"
import instagramProfileScraper from "./social/instagram-profile-scraper.ts"
import linkedinCompanyScraper from "./social/linkedin-company-scraper.ts"
import mastodonProfileScraper from "./social/mastodon-profile-scraper.ts"
import pinterestSearchScraper from "./social/pinterest-search-scraper.ts"
import redditCommentsScraper from "./social/reddit-comments-scraper.ts"
import redditScraper from "./social/reddit-scraper.ts"
import redditSearchScraper from "./social/reddit-search-scraper.ts"
import redditUserScraper from "./social/reddit-user-scraper.ts"
import telegramChannelScraper from "./social/telegram-channel-scraper.ts"
import tiktokHashtagScraper from "./social/tiktok-hashtag-scraper.ts"
import tiktokProfileScraper from "./social/tiktok-profile-scraper.ts"
import tiktokVideoScraper from "./social/tiktok-video-scraper.ts"
import twitchChannelScraper from "./social/twitch-channel-scraper.ts"
import twitterProfileScraper from "./social/twitter-profile-scraper.ts"
import twitterSearchScraper from "./social/twitter-search-scraper.ts"
import airbnbListingsScraper from "./travel/airbnb-listings-scraper.ts"
import bookingHotelScraper from "./travel/booking-hotel-scraper.ts"
import youtubePlaylistScraper from "./video/youtube-playlist-scraper.ts"
import youtubeSearchScraper from "./video/youtube-search-scraper.ts"
import youtubeSuggestScraper from "./video/youtube-suggest-scraper.ts"
import youtubeVideoMetadata from "./video/youtube-video-metadata.ts"
import articleExtractor from "./web/article-extractor.ts"
import brokenLinkChecker from "./web/broken-link-checker.ts"
import docsCrawlerScraper from "./web/docs-crawler-scraper.ts"
import faqExtractorScraper from "./web/faq-extractor-scraper.ts"
import keywordMonitor from "./web/keyword-monitor.ts"
import llmsTxtGenerator from "./web/llms-txt-generator.ts"
import metaTagsScraper from "./web/meta-tags-scraper.ts"
import opengraphScraper from "./web/opengraph-scraper.ts"
import pageChangeMonitor from "./web/page-change-monitor.ts"
import readabilityBatchScraper from "./web/readability-batch-scraper.ts"
import redirectTrackerScraper from "./web/redirect-tracker-scraper.ts"
import rssDiscoveryScraper from "./web/rss-discovery-scraper.ts"
import schemaOrgScraper from "./web/schema-org-scraper.ts"
import seoPageAnalyzer from "./web/seo-page-analyzer.ts"
import sitemapExtractor from "./web/sitemap-extractor.ts"
import techStackDetector from "./web/tech-stack-detector.ts"
import urlToMarkdownScraper from "./web/url-to-markdown-scraper.ts"
import webScraper from "./web/web-scraper.ts"
import websiteContentCrawler from "./web/website-content-crawler.ts"

/** Every scraper, by category and name; written by scripts/list-catalogue.ts. */
export const catalogue: readonly AnyScraper[] = [
  appStoreReviewsScraper,
  appStoreScraper,
  googlePlayAppScraper,
  googlePlayReviewsScraper,
  itunesReviewsScraper,
  bbbBusinessScraper,
  clutchAgenciesScraper,
  companyEnrichmentScraper,
  contactInfoExtractor,
  emailFinderScraper,
  googleMapsScraper,
  yellowpagesScraper,
  federalRegisterScraper,
  chromeWebStoreScraper,
  cratesIoScraper,
  dockerHubScraper,
  dockerHubSearchScraper,
  githubIssuesScraper,
  githubReleasesScraper,
  githubRepoScraper,
  githubRepoSearchScraper,
  githubTrendingScraper,
  githubUserScraper,
  gitlabProjectsScraper,
  npmPackageScraper,
  packagistPackageScraper,
  pypiPackageScraper,
  rubygemsPackageScraper,
  stackOverflowScraper,
  stackexchangeAnswersScraper,
  vscodeMarketplaceScraper,
  aliexpressProductScraper,
  amazonProductScraper,
  amazonReviewsScraper,
  amazonSearchScraper,
  bestbuyProductScraper,
  craigslistSearchScraper,
  ebayProductScraper,
  ebaySearchScraper,
  ecommerceProductScraper,
  etsyProductScraper,
  homedepotProductScraper,
  priceMonitor,
  shopifyProductsScraper,
  targetProductScraper,
  walmartProductScraper,
  walmartSearchScraper,
  bitcoinAddressScraper,
  coingeckoCoinsScraper,
  coinpaprikaScraper,
  cryptoPriceHistoryScraper,
  defillamaScraper,
  exchangeRatesScraper,
  finvizScreenerScraper,
  secCompanyFactsScraper,
  secFilingsScraper,
  stockPriceHistoryScraper,
  yahooFinanceQuoteScraper,
  greenhouseJobsScraper,
  hackerNewsHiringScraper,
  indeedJobsScraper,
  leverJobsScraper,
  remoteokJobsScraper,
  weworkremotelyJobsScraper,
  deezerArtistScraper,
  goodreadsBookScraper,
  imdbSearchScraper,
  imdbTitleScraper,
  musicbrainzArtistScraper,
  openlibraryBooksScraper,
  podcastEpisodesScraper,
  podcastSearchScraper,
  rottenTomatoesScraper,
  certificateExpiryMonitor,
  dnsRecordsScraper,
  sslCertScraper,
  uptimeChecker,
  whoisRdapScraper,
  bingNewsScraper,
  frontpageHeadlinesScraper,
  gdeltNewsScraper,
  googleNewsScraper,
  hackerNewsCommentsScraper,
  hackerNewsScraper,
  lobstersScraper,
  rssFeedReader,
  apartmentsListingsScraper,
  realtorPropertyScraper,
  redfinListingsScraper,
  zillowPropertyScraper,
  arxivScraper,
  crossrefScraper,
  openalexScraper,
  pubmedScraper,
  semanticScholarScraper,
  wikipediaScraper,
  wikipediaSearchScraper,
  capterraReviewsScraper,
  g2ReviewsScraper,
  glassdoorCompanyScraper,
  sitejabberReviewsScraper,
  trustpilotReviewsScraper,
  yelpBusinessScraper,
  bingSearchScraper,
  duckduckgoSearchScraper,
  googleAutocompleteScraper,
  googleSearchScraper,
  googleTrendsScraper,
  blueskyProfileScraper,
  instagramHashtagScraper,
  instagramPostsScraper,
  instagramProfileScraper,
  linkedinCompanyScraper,
  mastodonProfileScraper,
  pinterestSearchScraper,
  redditCommentsScraper,
  redditScraper,
  redditSearchScraper,
  redditUserScraper,
  telegramChannelScraper,
  tiktokHashtagScraper,
  tiktokProfileScraper,
  tiktokVideoScraper,
  twitchChannelScraper,
  twitterProfileScraper,
  twitterSearchScraper,
  airbnbListingsScraper,
  bookingHotelScraper,
  youtubePlaylistScraper,
  youtubeSearchScraper,
  youtubeSuggestScraper,
  youtubeVideoMetadata,
  articleExtractor,
  brokenLinkChecker,
  docsCrawlerScraper,
  faqExtractorScraper,
  keywordMonitor,
  llmsTxtGenerator,
  metaTagsScraper,
  opengraphScraper,
  pageChangeMonitor,
  readabilityBatchScraper,
  redirectTrackerScraper,
  rssDiscoveryScraper,
  schemaOrgScraper,
  seoPageAnalyzer,
  sitemapExtractor,
  techStackDetector,
  urlToMarkdownScraper,
  webScraper,
  websiteContentCrawler,
]

const bySlug = new Map(catalogue.map((scraper) => [scraper.slug, scraper]))

export function scraperBySlug(slug: string): AnyScraper | undefined {
  return bySlug.get(slug)
}
