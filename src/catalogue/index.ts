import airbnbListingsScraper from "./airbnb/airbnb-listings-scraper.ts"
import aliexpressProductScraper from "./aliexpress/aliexpress-product-scraper.ts"
import amazonProductScraper from "./amazon/amazon-product-scraper.ts"
import amazonReviewsScraper from "./amazon/amazon-reviews-scraper.ts"
import amazonSearchScraper from "./amazon/amazon-search-scraper.ts"
import apartmentsListingsScraper from "./apartments/apartments-listings-scraper.ts"
import appStoreReviewsScraper from "./apple/app-store-reviews-scraper.ts"
import appStoreScraper from "./apple/app-store-scraper.ts"
import itunesReviewsScraper from "./apple/itunes-reviews-scraper.ts"
import podcastSearchScraper from "./apple/podcast-search-scraper.ts"
import arxivScraper from "./arxiv/arxiv-scraper.ts"
import bbbBusinessScraper from "./bbb/bbb-business-scraper.ts"
import bestbuyProductScraper from "./bestbuy/bestbuy-product-scraper.ts"
import bingNewsScraper from "./bing/bing-news-scraper.ts"
import bingSearchScraper from "./bing/bing-search-scraper.ts"
import bitcoinAddressScraper from "./blockchain/bitcoin-address-scraper.ts"
import blueskyProfileScraper from "./bluesky/bluesky-profile-scraper.ts"
import bookingHotelScraper from "./booking/booking-hotel-scraper.ts"
import capterraReviewsScraper from "./capterra/capterra-reviews-scraper.ts"
import certificateExpiryMonitor from "./certificates/certificate-expiry-monitor.ts"
import sslCertScraper from "./certificates/ssl-cert-scraper.ts"
import chromeWebStoreScraper from "./chrome-web-store/chrome-web-store-scraper.ts"
import clutchAgenciesScraper from "./clutch/clutch-agencies-scraper.ts"
import coingeckoCoinsScraper from "./coingecko/coingecko-coins-scraper.ts"
import cryptoPriceHistoryScraper from "./coingecko/crypto-price-history-scraper.ts"
import coinpaprikaScraper from "./coinpaprika/coinpaprika-scraper.ts"
import craigslistSearchScraper from "./craigslist/craigslist-search-scraper.ts"
import cratesIoScraper from "./crates-io/crates-io-scraper.ts"
import crossrefScraper from "./crossref/crossref-scraper.ts"
import deezerArtistScraper from "./deezer/deezer-artist-scraper.ts"
import defillamaScraper from "./defillama/defillama-scraper.ts"
import dnsRecordsScraper from "./dns/dns-records-scraper.ts"
import dockerHubScraper from "./docker-hub/docker-hub-scraper.ts"
import dockerHubSearchScraper from "./docker-hub/docker-hub-search-scraper.ts"
import duckduckgoSearchScraper from "./duckduckgo/duckduckgo-search-scraper.ts"
import ebayProductScraper from "./ebay/ebay-product-scraper.ts"
import ebaySearchScraper from "./ebay/ebay-search-scraper.ts"
import exchangeRatesScraper from "./ecb/exchange-rates-scraper.ts"
import etsyProductScraper from "./etsy/etsy-product-scraper.ts"
import federalRegisterScraper from "./federal-register/federal-register-scraper.ts"
import finvizScreenerScraper from "./finviz/finviz-screener-scraper.ts"
import g2ReviewsScraper from "./g2/g2-reviews-scraper.ts"
import gdeltNewsScraper from "./gdelt/gdelt-news-scraper.ts"
import githubIssuesScraper from "./github/github-issues-scraper.ts"
import githubReleasesScraper from "./github/github-releases-scraper.ts"
import githubRepoScraper from "./github/github-repo-scraper.ts"
import githubRepoSearchScraper from "./github/github-repo-search-scraper.ts"
import githubTrendingScraper from "./github/github-trending-scraper.ts"
import githubUserScraper from "./github/github-user-scraper.ts"
import gitlabProjectsScraper from "./gitlab/gitlab-projects-scraper.ts"
import glassdoorCompanyScraper from "./glassdoor/glassdoor-company-scraper.ts"
import goodreadsBookScraper from "./goodreads/goodreads-book-scraper.ts"
import googleAutocompleteScraper from "./google/google-autocomplete-scraper.ts"
import googleMapsScraper from "./google/google-maps-scraper.ts"
import googleNewsScraper from "./google/google-news-scraper.ts"
import googlePlayAppScraper from "./google/google-play-app-scraper.ts"
import googlePlayReviewsScraper from "./google/google-play-reviews-scraper.ts"
import googleSearchScraper from "./google/google-search-scraper.ts"
import googleTrendsScraper from "./google/google-trends-scraper.ts"
import greenhouseJobsScraper from "./greenhouse/greenhouse-jobs-scraper.ts"
import hackerNewsCommentsScraper from "./hackernews/hacker-news-comments-scraper.ts"
import hackerNewsHiringScraper from "./hackernews/hacker-news-hiring-scraper.ts"
import hackerNewsScraper from "./hackernews/hacker-news-scraper.ts"
import homedepotProductScraper from "./homedepot/homedepot-product-scraper.ts"
import imdbSearchScraper from "./imdb/imdb-search-scraper.ts"
import imdbTitleScraper from "./imdb/imdb-title-scraper.ts"
import indeedJobsScraper from "./indeed/indeed-jobs-scraper.ts"
import instagramHashtagScraper from "./instagram/instagram-hashtag-scraper.ts"
import instagramPostsScraper from "./instagram/instagram-posts-scraper.ts"
import instagramProfileScraper from "./instagram/instagram-profile-scraper.ts"
import type { AnyScraper } from "./kit/index.ts"
import leverJobsScraper from "./lever/lever-jobs-scraper.ts"
import linkedinCompanyScraper from "./linkedin/linkedin-company-scraper.ts"
import lobstersScraper from "./lobsters/lobsters-scraper.ts"
import mastodonProfileScraper from "./mastodon/mastodon-profile-scraper.ts"
import musicbrainzArtistScraper from "./musicbrainz/musicbrainz-artist-scraper.ts"
import npmPackageScraper from "./npm/npm-package-scraper.ts"
import openalexScraper from "./openalex/openalex-scraper.ts"
import openlibraryBooksScraper from "./openlibrary/openlibrary-books-scraper.ts"
import packagistPackageScraper from "./packagist/packagist-package-scraper.ts"
import pinterestSearchScraper from "./pinterest/pinterest-search-scraper.ts"
import pubmedScraper from "./pubmed/pubmed-scraper.ts"
import pypiPackageScraper from "./pypi/pypi-package-scraper.ts"
import whoisRdapScraper from "./rdap/whois-rdap-scraper.ts"
import realtorPropertyScraper from "./realtor/realtor-property-scraper.ts"
import redditCommentsScraper from "./reddit/reddit-comments-scraper.ts"
import redditScraper from "./reddit/reddit-scraper.ts"
import redditSearchScraper from "./reddit/reddit-search-scraper.ts"
import redditUserScraper from "./reddit/reddit-user-scraper.ts"
import redfinListingsScraper from "./redfin/redfin-listings-scraper.ts"
import remoteokJobsScraper from "./remoteok/remoteok-jobs-scraper.ts"
import rottenTomatoesScraper from "./rotten-tomatoes/rotten-tomatoes-scraper.ts"
import rubygemsPackageScraper from "./rubygems/rubygems-package-scraper.ts"
import secCompanyFactsScraper from "./sec/sec-company-facts-scraper.ts"
import secFilingsScraper from "./sec/sec-filings-scraper.ts"
import semanticScholarScraper from "./semantic-scholar/semantic-scholar-scraper.ts"
import shopifyProductsScraper from "./shopify/shopify-products-scraper.ts"
import sitejabberReviewsScraper from "./sitejabber/sitejabber-reviews-scraper.ts"
import stackOverflowScraper from "./stackexchange/stack-overflow-scraper.ts"
import stackexchangeAnswersScraper from "./stackexchange/stackexchange-answers-scraper.ts"
import targetProductScraper from "./target-stores/target-product-scraper.ts"
import telegramChannelScraper from "./telegram/telegram-channel-scraper.ts"
import tiktokHashtagScraper from "./tiktok/tiktok-hashtag-scraper.ts"
import tiktokProfileScraper from "./tiktok/tiktok-profile-scraper.ts"
import tiktokVideoScraper from "./tiktok/tiktok-video-scraper.ts"
import trustpilotReviewsScraper from "./trustpilot/trustpilot-reviews-scraper.ts"
import twitchChannelScraper from "./twitch/twitch-channel-scraper.ts"
import vscodeMarketplaceScraper from "./vscode/vscode-marketplace-scraper.ts"
import walmartProductScraper from "./walmart/walmart-product-scraper.ts"
import walmartSearchScraper from "./walmart/walmart-search-scraper.ts"
import articleExtractor from "./web/article-extractor.ts"
import companyEnrichmentScraper from "./web/contacts/company-enrichment-scraper.ts"
import contactInfoExtractor from "./web/contacts/contact-info-extractor.ts"
import emailFinderScraper from "./web/contacts/email-finder-scraper.ts"
import docsCrawlerScraper from "./web/docs-crawler-scraper.ts"
import faqExtractorScraper from "./web/faq-extractor-scraper.ts"
import frontpageHeadlinesScraper from "./web/feeds/frontpage-headlines-scraper.ts"
import podcastEpisodesScraper from "./web/feeds/podcast-episodes-scraper.ts"
import rssDiscoveryScraper from "./web/feeds/rss-discovery-scraper.ts"
import rssFeedReader from "./web/feeds/rss-feed-reader.ts"
import keywordMonitor from "./web/keyword-monitor.ts"
import brokenLinkChecker from "./web/links/broken-link-checker.ts"
import llmsTxtGenerator from "./web/llms-txt-generator.ts"
import metaTagsScraper from "./web/meta-tags-scraper.ts"
import opengraphScraper from "./web/opengraph-scraper.ts"
import pageChangeMonitor from "./web/page-change-monitor.ts"
import readabilityBatchScraper from "./web/readability-batch-scraper.ts"
import redirectTrackerScraper from "./web/redirect-tracker-scraper.ts"
import schemaOrgScraper from "./web/schema-org-scraper.ts"
import seoPageAnalyzer from "./web/seo-page-analyzer.ts"
import ecommerceProductScraper from "./web/shops/ecommerce-product-scraper.ts"
import priceMonitor from "./web/shops/price-monitor.ts"
import sitemapExtractor from "./web/sitemap-extractor.ts"
import techStackDetector from "./web/tech-stack-detector.ts"
import uptimeChecker from "./web/uptime-checker.ts"
import urlToMarkdownScraper from "./web/url-to-markdown-scraper.ts"
import webScraper from "./web/web-scraper.ts"
import websiteContentCrawler from "./web/website-content-crawler.ts"
import weworkremotelyJobsScraper from "./weworkremotely/weworkremotely-jobs-scraper.ts"
import wikipediaScraper from "./wikipedia/wikipedia-scraper.ts"
import wikipediaSearchScraper from "./wikipedia/wikipedia-search-scraper.ts"
import twitterProfileScraper from "./x/twitter-profile-scraper.ts"
import twitterSearchScraper from "./x/twitter-search-scraper.ts"
import stockPriceHistoryScraper from "./yahoo/stock-price-history-scraper.ts"
import yahooFinanceQuoteScraper from "./yahoo/yahoo-finance-quote-scraper.ts"
import yellowpagesScraper from "./yellowpages/yellowpages-scraper.ts"
import yelpBusinessScraper from "./yelp/yelp-business-scraper.ts"
import youtubePlaylistScraper from "./youtube/youtube-playlist-scraper.ts"
import youtubeSearchScraper from "./youtube/youtube-search-scraper.ts"
import youtubeSuggestScraper from "./youtube/youtube-suggest-scraper.ts"
import youtubeVideoMetadata from "./youtube/youtube-video-metadata.ts"
import zillowPropertyScraper from "./zillow/zillow-property-scraper.ts"

/** Every scraper, by category; written by scripts/list-catalogue.ts. */
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
