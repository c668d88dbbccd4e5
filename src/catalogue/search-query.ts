import { getDomain } from "tldts"
import otherTasksText from "./other-tasks.txt" with { type: "text" }
import { isSpaceless, plainText } from "./search-foreign.ts"
import { termsOf } from "./search-words.ts"

/** A need as the search compares it. */
export interface Query {
  terms: string[]
  /** Registrable domains in the query. */
  sites: ReadonlySet<string>
  /** First URL in the query. */
  url: string | undefined
}

const maxUrl = 2000
const url = /\bhttps?:\/\/[^\s"'<>]+/gi
const host = /\b(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}(?:\/\S*)?/gi
/** Text that looks like a host name but is a file name. */
const fileName = /\.(?:txt|xml|json|jsx?|tsx?|md|csv|pdf|html?|ya?ml|py|rb|rs|go)$/i

/** Patterns that recognize a type of value, and the search terms for it. */
const forms: [form: RegExp, words: string][] = [
  [/^\W*is (?:the )?[\w-]+ (?:website |site )?(?:down|offline|up)\b(?! to)/gi, " outage "],
  [/https?:\/\/\S*\b(?:rss|feeds?|atom)\b\S*/gi, " rss feed entries "],
  [/\b(?:bit\.ly|t\.co|tinyurl\.com|goo\.gl|ow\.ly|is\.gd|buff\.ly)\b\S*/gi, " shortlink "],
  [
    /\b\d+ (?:[A-Z]\w+ ){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Drive|Dr|Lane|Ln|Boulevard|Blvd)\b/g,
    " house at postal address ",
  ],
  [
    /\b(?:on|in|since|of) (?:\d{1,2}(?:st|nd|rd|th)? )?(?:january|february|march|april|june|july|august|september|october|november|december)\b/gi,
    " history ",
  ],
  [
    /\b(?:in|for|since|of|from|until|during|back in) (?:(?:early|late|mid|January|February|March|April|May|June|July|August|September|October|November|December) )?(?:19|20)\d\d\b/g,
    " history ",
  ],
  [/\b(?:BTC|ETH|SOL|ADA|DOT|DOGE|XRP|AVAX|LTC|BNB)\b/g, " crypto $& "],
  [/\$[A-Z]{1,5}\b/g, " share "],
  [
    /\b(?:is|goes|gets|falls|drops|costs|sells for|dips|hits) (?:under|below|less than) [$€£]?\d/gi,
    " price drop ",
  ],
  [/\b(?:did|has) .{2,60}? (?:write|written)\W*$/gi, " books by author "],
  [/\beverything (?=.{2,60}? (?:published|wrote|has written)\W*$)/gi, "books by author "],
  [
    /\bhow (?!many|much|do |does |is |to )(?=(?:an? |the )?[\w-]+(?: [\w-]+){0,2} works?\b(?! at| for))(.*?) works?\b/gi,
    " explain $1 ",
  ],
  [/\b(?:feed|rss|atom)\.xml\b/gi, " rss feed "],
  [/\bUS\b/g, " america "],
  [
    /\b(?:jobs?|work|vacanc(?:y|ies)|positions?|houses?|homes?|flats?|apartments?|restaurants?|hotels?|shops?|agencies|dentists?|lawyers?)\b[^.?!]{0,40}?\b(?:in|near|around) (?=\p{Lu}\p{Ll})/gu,
    "$&city ",
  ],
  [
    /(?<!\p{L})(?:letzten?|vergangenen|derni[eè]re?s?|[uú]ltim[oa]s?|ultim[ie]|passados|laatste|afgelopen|senaste|seneste|siste|ostatnich|ostatniego|posledn[ií](?:ch|ho)?|последни[ехй]|son|terakhir)(?!\p{L})[^.?!,]{0,12}?(?:jahr|monat|ann[eé]e|\bans?\b|mois|a[nñ]os?\b|mes(?:es)?\b|ann[oi]\b|mes[ei]\b|jaar|jaren|maand|\b[aå]r(?:en|et)?\b|m[aå]na?d|m[aå]ned|rok|\blat\b|miesi|let\b|m[eě]s[ií]c|лет|год|месяц|y[ıi]l|tahun|bulan)/giu,
    "$& history ",
  ],
  [
    /(?:過去|近|最近|过去|直近|지난|최근)\s*[\d一二三四五六七八九十两]+\s*(?:年|か月|ヶ月|カ月|个月|個月|년|개월)/gu,
    "$& history ",
  ],
  [
    /(?<!\p{L})(?:lavoro|empleos?|trabajo|emplois?|vagas?|empregos?|stellen(?:angebote)?|restaurants?|ristoranti|restaurantes|h[oô]tels?|hoteles)(?!\p{L})[^.?!]{0,40}?\s(?:a|à|en|em|in|bei|nahe) (?=(?!qu|ch|was|wel)\p{Lu}\p{Ll})/giu,
    "$&city ",
  ],
  [
    /\b(?:somebody|someone|anybody|anyone|who can|where (?:can|do|could) (?:i|we))\b[^.?!]{3,50}?\b(?:in|near|around) (?=\p{Lu}\p{Ll}+\W*$)/giu,
    "$&plumber place city ",
  ],
  [
    /\b(?:does|do|can|will|is|are) [^.?!]{3,30} (?:help|effective|work) (?:against|with) /gi,
    "$& medical research ",
  ],
  [
    /\b(?:write|reach|contact|get hold of|mail|message)\b[^.?!]{0,30}\b(?:CEO|CFO|CTO|COO|CMO|head of|director|founder|boss)\b/gi,
    "$& email person ",
  ],
  [
    /\bwho (?:was|is|played|plays) the (?:bad guy|villain|hero|lead|killer|main character) in\b/gi,
    " actor film ",
  ],
  [
    /\b(?:do|did|would) (?:real|actual|ordinary|normal) (?:people|users|owners|folks)\b/gi,
    " reddit opinion ",
  ],
  [
    /\b(?:still|can i|could i|can we|could we) (?:get|grab|buy|have|take|register|claim|snap up)\b(?=\s+(?:the name |the domain )?[\w-]+\.[a-z]{2,}\b)/gi,
    " register domain ",
  ],
  [
    /\b(?:is|are|was|were|stays?|still|back|site|server|service|api|host|domain|endpoints?|everything)(?: [\w.:/-]+){0,3} up\b(?! to\b)/gi,
    "$& outage ",
  ],
  [/\bthe [\w-]+ sub\b(?! for)/gi, "$& subreddit "],
  [/\b(?:cost|budget) to (?:make|produce|shoot|film)\b/gi, " film budget "],
  [
    /\bis (?:[\w-]+\.)+[a-z]{2,} (?:an? )?(?:con|scam|fake|fraud|legit|trustworthy|genuine|rip-?off)\b/gi,
    "$& scam shop ",
  ],
  [
    /^why (?:did|do|does|is|are|was|were) the (?=\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+)/gu,
    " wikipedia explain ",
  ],
  [/\b(?:when|why) did .{2,30} (?:split|break up|disband|reunite)\b/gi, "$& band founded members "],
  [
    /\bdo (?:[a-z]+ ){1,2}(?:like|love|hate|trust|recommend) (?:the )?(?=\p{Lu})/gu,
    "$& review opinion ",
  ],
  [/\bwork(?:ed|ing)? out (?=the|an?|how|what|which|who)/gi, " "],
  [
    /(?<=\b(?:address|inbox|mailbox|mail|reach|contact|write to|guess)\b.{0,20})\b\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+(?= (?:at|of|from) [\w-]+(?:\.[\w-]+)+)/gu,
    " email person ",
  ],
  [
    /\b(?:popular|hot(?:test)?|rising|new|starred|upcoming)\b.{0,30}\b(?:projects|repos|repositories|code)\b.{0,20}\b(?:today|this (?:week|month)|of the (?:day|week|month))/gi,
    "$& trending repositories ",
  ],
  [/\b(?:join|joined|from|to|via|use|by) X\b/g, "$& twitter "],
  [/\bwho (?:was|were) (?=\p{Lu})/giu, " biography "],
  [/\b[\w-]+\.bsky\.\w+/gi, " bluesky "],
  [/\bschema\.org\b/gi, " structured data "],
  [/\bcrt\.sh\b/gi, " certificate transparency "],
  [/\bB0[A-Z0-9]{8}\b/g, " asin amazon product "],
  [/\b10\.\d{4,9}\/\S+/g, " doi "],
  [/\b(?:cs|math|stat|physics|eess|econ|q-bio|q-fin|astro-ph|cond-mat)\.[A-Z]{2}\b/g, " arxiv "],
  [/\b(?:arxiv:)?\d{4}\.\d{4,5}(?:v\d+)?\b/gi, " arxiv "],
  [/(?<![\w/])r\/\w+/g, " subreddit reddit "],
  [/(?<![\w/])u\/[\w-]+/g, " redditor reddit "],
  [/\b(?:bc1|[13])[a-zA-HJ-NP-Z0-9]{25,60}\b/g, " bitcoin address "],
  [/(?<!\w)#\p{L}[\p{L}\p{N}_]*/gu, " hashtag "],
  [/(?<![\w/@.:])@[\w.-]+/g, " "],
]

/** First words of tasks that are not scraping: "translate this", "order a pizza". */
const otherTasks = plainText(otherTasksText).trim().split("\n")
/** Those of languages that have no spaces, or the verb at the end, may be anywhere. */
const [beginnings, parts] = [
  otherTasks.filter((task) => !isSpaceless(task)),
  otherTasks.filter(isSpaceless),
]
const politeness =
  /^(?:please|pls|can you|could you|bitte|por favor|per favore|s il te plait)[\s,]+/
/** Quantities to be made: "print 200 business cards". */
const quantities = /^(?:print|ship|bake|sew|build|make|buy|order|pack) \d+ /
/** What is on the user's own devices or in an account. */
const ownThings =
  /\b(?:on|from|in) my (?:laptop|computer|pc|phone|desktop|desk|disk|hard drive|camera roll|inbox|mailbox|calendar|account|drive)\b/
/** Questions of arithmetic: "what's 15 percent of 80". */
const arithmetic =
  /^(?:what s|what is|whats|how much is)?\s*\d[\d\s]*(?:percent of|plus|minus|times|divided by)\s+\d/

/** Returns whether a query asks for something that no scraper does. */
export function isOtherTask(query: string): boolean {
  const plain = plainText(query.slice(0, maxUrl))
    .replace(/['’-]/g, " ")
    .trim()
    .replace(politeness, "")
  if (arithmetic.test(plain) || ownThings.test(plain) || quantities.test(plain)) return true
  if (parts.some((part) => plain.includes(part))) return true
  return beginnings.some((task) => plain === task || plain.startsWith(`${task} `))
}

export type Shape = "many" | "one"

const ofOne =
  /\b(?:this|that|the|an?|one|single|particular|certain|its|each|every) (?:[a-z-]+ ){0,2}?(?:item|product|listing|auction|clip|video|movie|film|link|id|asin|episode|repo|repository)\b(?!s| of)|\b(?:these|those|both|two|three)\b|\bby (?:its )?(?:id|link|url|asin|number)\b/i
const ofMany =
  /\b(?:cheapest|options|choices|lists? of|compare|top \d+|top ten|several|range of|kinds of|brands|competitors|sorted|ranked|on which position|(?:under|below) [$€£]?\d+|show me|show up|something to watch|(?:find|search|look) (?:for )?(?:me|an?|some)|alternatives|best ?sell\w+|(?<!-)videos|clips|documentaries|tutorials|podcasts|audio shows|movies|films|repositories|repos|products|items|listings|auctions)\b|\b(?!reviews|specs|details|prices|stars|ratings|facts|photos|images|pictures|features|dimensions|complaints|opinions|views|likes)[a-z]{3,}s (?:on|at|from) (?:amazon|walmart|ebay)\b/i

/** Returns whether a query asks for many things or for one, if it says so. */
export function shapeOf(query: string): Shape | undefined {
  const [one, many] = [ofOne.test(query), ofMany.test(query)]
  return one === many ? undefined : one ? "one" : "many"
}

/**
 * Returns the query as a URL, with `https://` if it was left out, or undefined if it contains other
 * words.
 */
export function urlIn(query: string): string | undefined {
  const text = query.trim()
  if (/\s/.test(text) || text.length > maxUrl) return undefined
  if (/^https?:\/\//i.test(text)) return URL.canParse(text) ? text : undefined
  const isHost = text.match(host)?.[0] === text && !fileName.test(text) && getDomain(text) !== null
  return isHost ? `https://${text}` : undefined
}

/** Queries about other registries, whose names look like those of repositories. */
const otherRegistry =
  /\b(?:docker|container|image|packagist|composer|php|crate|gem|pip|gitlab|npm|subreddit)/i
/** Matches `owner/name` if neither part is an ordinary word. */
const repository = /(?<![\w./:-])([\w-]{2,39})\/([\w.-]{2,100})(?![\w/])/g

export function queryOf(
  query: string,
  isKnown: (term: string) => boolean,
  isOwnSite: (site: string) => boolean,
  isBrand: (term: string) => boolean,
): Query {
  let text = query.slice(0, maxUrl)
  const first = text.match(url)?.[0]
  const sites = new Set<string>()
  for (const [form, words] of forms) text = text.replace(form, words)
  const brands = termsOf(text.replace(repository, " ")).filter(isBrand)
  const isOther =
    otherRegistry.test(text) || (brands.length > 0 && !brands.some((brand) => brand === "github"))
  text = text.replace(repository, (whole, owner: string, name: string) =>
    isOther ||
    whole === whole.toUpperCase() ||
    (owner !== name && [...termsOf(owner), ...termsOf(name)].every(isKnown))
      ? whole
      : " github repository owner name ",
  )
  text = text.replace(url, (url) => {
    const site = getDomain(url)
    if (site !== null) sites.add(site)
    return site !== null && isOwnSite(site) ? " " : " url "
  })
  text = text.replace(host, (name) => {
    if (fileName.test(name)) return name
    const site = getDomain(name)
    if (site === null) return name
    sites.add(site)
    return " "
  })
  return { terms: termsOf(text, isKnown), sites, url: first }
}
