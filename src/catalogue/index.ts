import type { AnyScraper } from "./define.ts"
import federalRegisterScraper from "./data/federal-register-scraper.ts"
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
import hackerNewsHiringScraper from "./jobs/hacker-news-hiring-scraper.ts"
import deezerArtistScraper from "./media/deezer-artist-scraper.ts"
import musicbrainzArtistScraper from "./media/musicbrainz-artist-scraper.ts"
import openlibraryBooksScraper from "./media/openlibrary-books-scraper.ts"
import podcastEpisodesScraper from "./media/podcast-episodes-scraper.ts"
import podcastSearchScraper from "./media/podcast-search-scraper.ts"
import certificateExpiryMonitor from "./network/certificate-expiry-monitor.ts"
import dnsRecordsScraper from "./network/dns-records-scraper.ts"
import sslCertScraper from "./network/ssl-cert-scraper.ts"
import uptimeChecker from "./network/uptime-checker.ts"
import whoisRdapScraper from "./network/whois-rdap-scraper.ts"
import frontpageHeadlinesScraper from "./news/frontpage-headlines-scraper.ts"
import gdeltNewsScraper from "./news/gdelt-news-scraper.ts"
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
import airbnbListingsScraper from "./travel/airbnb-listings-scraper.ts"
import bookingHotelScraper from "./travel/booking-hotel-scraper.ts"
import articleExtractor from "./web/article-extractor.ts"
import docsCrawlerScraper from "./web/docs-crawler-scraper.ts"
import keywordMonitor from "./web/keyword-monitor.ts"
import llmsTxtGenerator from "./web/llms-txt-generator.ts"
import metaTagsScraper from "./web/meta-tags-scraper.ts"
import opengraphScraper from "./web/opengraph-scraper.ts"
import pageChangeMonitor from "./web/page-change-monitor.ts"
import readabilityBatchScraper from "./web/readability-batch-scraper.ts"
import rssDiscoveryScraper from "./web/rss-discovery-scraper.ts"
import schemaOrgScraper from "./web/schema-org-scraper.ts"
import sitemapExtractor from "./web/sitemap-extractor.ts"
import urlToMarkdownScraper from "./web/url-to-markdown-scraper.ts"
import webScraper from "./web/web-scraper.ts"
import websiteContentCrawler from "./web/website-content-crawler.ts"

/** Every scraper, by category and name; written by scripts/list-catalogue.ts. */
export const catalogue: readonly AnyScraper[] = [
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
  hackerNewsHiringScraper,
  deezerArtistScraper,
  musicbrainzArtistScraper,
  openlibraryBooksScraper,
  podcastEpisodesScraper,
  podcastSearchScraper,
  certificateExpiryMonitor,
  dnsRecordsScraper,
  sslCertScraper,
  uptimeChecker,
  whoisRdapScraper,
  frontpageHeadlinesScraper,
  gdeltNewsScraper,
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
  airbnbListingsScraper,
  bookingHotelScraper,
  articleExtractor,
  docsCrawlerScraper,
  keywordMonitor,
  llmsTxtGenerator,
  metaTagsScraper,
  opengraphScraper,
  pageChangeMonitor,
  readabilityBatchScraper,
  rssDiscoveryScraper,
  schemaOrgScraper,
  sitemapExtractor,
  urlToMarkdownScraper,
  webScraper,
  websiteContentCrawler,
]

const bySlug = new Map(catalogue.map((scraper) => [scraper.slug, scraper]))

export function scraperBySlug(slug: string): AnyScraper | undefined {
  return bySlug.get(slug)
}
