/** Words that say nothing of what is wanted: of questions, of politeness, of scraping itself. */
const idle = new Set(
  `a about above across after again also am amongst an and another any anybody anyone anything are around as at be
  been before being behind between both but by can could did do does doing during each else few for from further
  get give given go goes going had has have having he her here him his how i if in inside instead into is it
  its itself just know like made make many may me might more most much must my need needs never next no nor
  not now of off on once one only onto or other our own over per please put quite really s same see she should
  so some somebody someone something soon still such take tell than that the their them then there these
  they thing this those three through to too two under until upon us use using very via want wants was way
  we were what whatever when where whether which while who whom whose why will with within without would yet
  you your certain several various recent recently lately latest newest new york right best good better well play time times set setting settings think everyone people write writes writing wrote written days week weeks weekly month months monthly year years number numbers order last data info
  information scrape scraper scraping api fetch return retrieve grab pull collect gather obtain show com org
  net io co www http https two three four five six seven eight nine ten twelve dozen please call
  topic topics subject subjects`.split(/\s+/),
)

/** What means the same here: before the colon the term, after it the words and phrases that stand for it. */
const alike = `hackernews: hacker news, hn, y combinator
appstore: app store, apple store, apple app store, itunes store, iphone, ipad, ios, itunes
playstore: google play, play store, android, google play store, apk
stackoverflow: stack overflow
stackexchange: stack exchange, server fault, super user, ask ubuntu
vscode: vs code, visual studio code, visual studio
bestbuy: best buy
homedepot: home depot
yellowpages: yellow pages
bbb: better business bureau
weworkremotely: we work remotely
remoteok: remote ok
rottentomatoes: rotten tomatoes
dockerhub: docker hub
webstore: chrome web store
semanticscholar: semantic scholar
openlibrary: open library
twitter: tweet, tweets, x, tweeted
github: git hub
youtube: yt
wikipedia: wiki, encyclopedia, encyclopaedia
restock: back in stock, again in stock, available again, sold out, out of stock
instock: in stock, on stock
sale: for sale, on sale, on the market, to buy
rent: for rent, to let, rental, rentals, renting, tenant
remotejob: work from home, working from home, work from anywhere, home office, remote work, remote job, remote position, remote
review: reviews, customer review, user review, feedback, testimonial, opinion
rating: rate, rated, stars, star
complaint: complain, complaining, complaints, don t like, do not like, dont like, hate, unhappy, annoyed, badly, dislike, problem with, negative
owner: owns, owned, registrant, registered, registration, belongs to, holder
register: free to register, available to register, domain available, domain taken
down: outage, offline, unreachable, not reachable, up, uptime, alive, respond, responding, reachable, load, loading, working, available online, is online, site online, go offline
email: e mail, emails, mail address, email address, mailbox
phone: telephone, phone number, telephone number
contact: get in touch, reach, write to, write them
price: cost, costs, go for, goes for, sell for, sells for, pricing, priced, expensive, how much is
cheap: cheapest, cheaper, lower price
discount: deal, bargain, coupon
drop: fall, fell, decrease, goes below, goes under, falls below, falls under, drops below, costs less, gets cheaper
alert: notify, notification, ping me, inform, remind me, notice when, warn, tell me when, let me know, monitor, watch, track, tracking, observe, remind, keep an eye on
change: changed, different, edit, edited, alter, update, updated, differ, difference, diff, modified, what is new
job: position, positions, vacancy, vacancies, opening, openings, open role, role, career, careers, employment, hiring, hire, recruit, job posting
salary: wage, compensation, pay, paid, salaries
company: business, firm, enterprise, corporation, organisation, organization, startup
employee: staff, headcount, workforce, employees
workplace: work at, working at, like to work, work there
host: hostname
film: movie, movies, cinema
series: show, tv show, tv series
actor: actress, cast, celebrity
boxoffice: box office
song: songs, track record, tracks, lyrics
artist: musician, singer, band, group of musicians
discography: albums, album
book: novel, books
isbn: isbn number
paper: scientific paper, research paper, academic paper
scientific: scholarly, academic, scholar, science
publication: publications, literature
cite: citation, citations, cited
research: study, studies, journal article
medical: medical literature, medicine, covid, cancer, vaccine, biomedical, clinical, clinical trial, disease, drug, therapy
news: newspapers write, press writing, press write, newspaper write, press, newspaper, media coverage, media cover, media, coverage, journalism, newspapers
socialmedia: social media
headline: headlines, front page
today: todays, current, right now, at the moment, now, currently, this morning
hiringthread: who is hiring, whos hiring
repository: repo, repositories, repos, codebase
bug: issue, issues, defect
pullrequest: pull request
changelog: release note, release notes, what changed in
release: releases, version, versions
licence: license
download: download
downloadcount: downloads, weekly downloads, download count, downloaded
install: installation, installs
javascript: node, nodejs, js, node js
python: pip
php: composer, laravel, symfony
ruby: rubygems, rails, gem
rust: cargo, crate, crates
npm: npm package
docker: container
image: container image
picture: photo, pictures, photos, images
extension: addon, add on, plugin, plug in
certificate: https cert, ssl cert, tls cert, ssl, tls, ssl certificate, tls certificate, https certificate, cert
expire: lapse, expiry, expiration, run out, runs out
mx: mail server, mailserver, mx record
dns: name server, nameserver, spf, dmarc, txt record, cname, a record
site: website, websites, homepage, web site
page: webpage, web page, pages
link: links
url: urls, address of a page, web address
redirect: redirects, hop, hops
shortlink: short link, shortened link, bit ly, tinyurl, unshorten, short url
deadlink: dead link, broken, go nowhere, lead nowhere, goes nowhere, links that go nowhere, broken link, links dead, links that no longer work, 404, dead
docs: documentation, doc, manual, handbook, api reference
faq: frequently asked question, question and answer pair
feed: rss, atom, rss feed, feeds, atom feed
suggestion: suggest, suggestions, autocomplete, idea, ideas, completion, type into, typeahead
trend: trending, trends, viral, hottest
popular: most popular, hot
search: find, look up, look for, query, searching, seek
web: internet, online
nearby: near, local, around here, in the area
map: google map, maps
place: places, venue, restaurant, cafe, coffee shop, bar, eatery, bistro, pharmacy, dentist, doctor, bakery, gym, museum, hairdresser, salon, hospital, school, garage, clinic, supermarket, park, attraction, sushi bar
bookingcom: booking, booking com
reserve: book a, reservation
hotel: accommodation, hostel, resort
holidayrental: vacation rental, holiday apartment, place to stay, holiday home
house: real estate listing, home, homes, property, properties, real estate
apartment: flat, flats, apartments
share: stock market index, nasdaq, dow jones, dax, aktien, listed company, stocks, equity, equities, shares, stock price, stock prices, share price, stock quote, stock market, s p 500
ticker: tickers, stock symbol
quote: trading at, traded
pe: p e ratio, price earnings, p e
bitcoin: btc
crypto: cryptocurrency, cryptocurrencies, coin, coins, token, tokens, altcoin, ethereum, ether, eth, solana, dogecoin, litecoin, cardano, xrp, bnb, stablecoin
wallet: wallet address, btc address, bitcoin address
tvl: total value locked
defi: decentralised finance, decentralized finance
history: historical, over the past, over the last, last month, last months, last year, last years, past year, past month, last week, last weeks, every day, per day, per year, ago, since, daily, chart, candle, over time
exchangerate: exchange rate, currency, currencies, forex, foreign exchange, euro, dollar, yen, pound sterling, swiss franc, eur, usd, jpy, gbp, chf, convert euro
marketcap: market cap, market capitalisation, market value
datafile: file, files
filing: filings, sec, edgar, 10 k, 8 k, 10 q, s 1, 13 f, def 14 a, annual report
revenue: profit, earning, net income, turnover, income statement, balance sheet
follower: followers, subscriber, subscribers, fan, fans
profile: bio, account, handle
post: submission, submissions, posted
comment: reply, replies, discussion, thread, replied
hashtag: hash tag
video: clip, clips, videos, footage
view: views, play count, watched, most watched
transcript: subtitle, subtitles
live: streaming, broadcast, on air
streamer: stream
subreddit: subreddits, reddit community
redditor: redditors, reddit user
seller: sellers, vendor, merchant, who sells
product: products, item, items, goods, merchandise
shop: store, stores, retailer, shops, webshop
used: second hand, vintage, pre owned
auction: auctions, bid
regulation: regulations, law, proposed rule, rules, rule
government: federal, presidential, executive order, federal agency
technology: made with, powered by, tech stack, technologies, cms, built with, software runs, run on, runs on
seo: search engine optimisation, search engine optimization, search engines
audit: check up, what is wrong
author: writer, authors, written by, who wrote
text: plain text
agency: agencies, studio
summary: summarise, summarize, abstract, gist
llm: vector database, language model, ai model, chatgpt, gpt, large language model
rag: chatbot, knowledge base
table: rows, spreadsheet
selector: css selector, selectors, xpath
custom: own fields
structureddata: structured data, json ld, schema org, microdata, rdfa, rich snippet
preview: link preview, open graph, og, twitter card, social card, opengraph
metatag: meta tag, meta tags, title tag, meta description
subdomain: subdomains, hidden host
mention: mentions, mentioned, mentioning, appears
stackanswer: accepted answer
america: american, united states, usa
legit: trustworthy, trusted, scam, reputation, fraud, trust, legitimate, reliable
accredited: accreditation
screener: screen, screening, screener filter
size: sizes
tutorial: tutorials, lesson, course
karma: karma points
message: messages
toot: toots, fediverse
influencer: creator
plumber: local service, electrician, locksmith, handyman, roofer
openinghours: when they close, when they open, open until, close at, opening hour, opening hours, opening times, business hours
headquarters: head office, hq
guess: guesses
critic: critics, film critic, tomatometer
readermode: reader mode, reader view, readability
recommendation: recommend, recommended, recommends, recommendations, advice
all: every, entire, whole, complete
verified: verification
opensource: open source
vulnerability: vulnerabilities, cve
dependency: dependencies, depend, requirement, requirements
maintain: maintainer, maintainers
deprecated: abandoned
keyword: keywords
rank: ranking, ranks, ranked
sitemap: site map, list of all pages
crawl: crawler, crawling, spider
markdown: md
game: games
doi: doi number
pubmed: medline`

/** Returns a word without its endings: crude, but the same for needs as for questions. */
function stem(word: string): string {
  let form = word.replace(/iz(?=e|ing|ation)/, "is")
  if (form.length > 3) form = form.replace(/ies$/, "y").replace(/(ch|sh|x|ss)es$/, "$1")
  if (form.length > 3) form = form.replace(/(?<![sui])s$/, "")
  if (form.length > 5) form = form.replace(/ing$/, "")
  if (form.length > 4) form = form.replace(/ed$/, "")
  if (form.length > 5) form = form.replace(/ly$/, "")
  if (form.length > 3) form = form.replace(/e$/, "")
  return form.replace(/([bdgmnprt])\1$/, "$1")
}

const stemmed = (text: string) => text.split(" ").map(stem).join(" ")

/** Terms by the stems that stand for them. */
const terms = termsAlike()

function termsAlike(): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of alike.split("\n")) {
    const [term, others = ""] = line.split(": ") as [string, string?]
    for (const other of [term, ...others.split(", ")]) {
      for (const form of [other, stemmed(other)]) if (!found.has(form)) found.set(form, stem(term))
    }
  }
  return found
}

const maxPhrase = Math.max(...[...terms.keys()].map((key) => key.split(" ").length))

/** "the last three months" is "last months". */
const spans = /\b(last|past|previous) (?:\d+|few|two|three|four|five|six|seven|ten|twelve) (\w)/g

/** Characters of a text that are looked at. */
const maxText = 2000

/**
 * Returns what a text is about: its words without endings, synonyms and set phrases as one term each,
 * without words that say nothing.
 */
export function termsOf(text: string): string[] {
  const plain = text
    .slice(0, maxText)
    .toLowerCase()
    .replace(/['’]s\b/g, "")
    .replace(spans, "$1 $2")
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  const found: string[] = []
  for (let at = 0; at < words.length; ) {
    const taken = phraseAt(words, at)
    const word = words[at]!
    if (taken > 1) found.push(termOf(words.slice(at, at + taken))!)
    else if (terms.has(word)) found.push(terms.get(word)!)
    else if (!idle.has(word) && word.length > 1 && !/^\d+$/.test(word))
      found.push(termOf([word]) ?? stem(word))
    at += taken
  }
  return found
}

const termOf = (words: readonly string[]) =>
  terms.get(words.join(" ")) ?? terms.get(words.map(stem).join(" "))

/** How many words from a place on are one term. */
function phraseAt(words: readonly string[], at: number): number {
  for (let length = Math.min(maxPhrase, words.length - at); length > 1; length--) {
    if (termOf(words.slice(at, at + length)) !== undefined) return length
  }
  return 1
}
