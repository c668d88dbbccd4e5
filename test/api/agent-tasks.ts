import { casesUnder, ownCases } from "../corpus-run.ts"

/** A need in a person's words, the scraper and recorded upstream for it, and a fact of the right answer. */
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
]

/** The recorded case of each scraper of a task. */
export const cases = new Map(
  tasks.map(([, slug, name]) => {
    const found = casesUnder(ownCases, slug).find((one) => one.case === name)
    if (!found) throw new Error(`There is no case ${slug}/${name}.`)
    return [slug, found] as const
  }),
)
