import { wordSet } from "../core/index.ts"

/** Words of class names and ids that name a part of the page which is not its content. */
const partWords = wordSet(`
  ad ads adv advert adverts advertisement advertising adsense adslot adunit banner banners dfp gpt
  sponsor sponsored promo promos promoted promotion promotions outbrain taboola teads revcontent
  mgid zergnet affiliate disclaimer
  share shares sharing sharethis sharedaddy sharebar addthis addtoany social socials socialbar
  whatsapp
  breadcrumb breadcrumbs pagination pager paging navigation nav navbar menu toolbar
  related relatedposts recommend recommended recommendation recommendations recirc
  mostread readmore
  newsletter newsletters signup subscribe subscription paywall registration login cta
  comment comments disqus respond replies
  cookie cookies consent gdpr popup modal
  sidebar footer
`)

/** Words that identify a line about the content: its author, date or category. */
const lineWords = wordSet(`
  author authors authorbox bio biography byline bylines vcard contributor contributors
  date dates dateline datetime timestamp time published publish posted updated modified meta metadata
  postmeta postinfo postdate submitted
  caption captions credit credits copyright attribution
  tag tags taglist keywords category categories filed
  rating ratings vote votes print email views counter follow like likes tools utility permalink
  readtime more-on read-more see-also
`)

/** Words that name lists of other articles, and sometimes the beginning of this one. */
const listWords = wordSet("teaser teasers recent latest similar popular trending")

/** Words that name the content itself, or mean nothing. */
const contentWords = wordSet(`
  article articles body bodytext content contents entry main post page story text copy wrapper wrap
  container inner outer column col columns row section block area
`)

/** Pairs of those words, by the first word. */
const linePairs = new Map(
  [...lineWords]
    .filter((word) => word.includes("-"))
    .map((pair) => pair.split("-") as [string, string]),
)

/** The role that the words of a class name or ID give an element. */
export type Role = "part" | "list" | "line"

export function roleOfWords(words: readonly string[]): Role | "content" | null {
  if (words.length === 0) return null
  if (words.every((word) => contentWords.has(word))) return "content"
  if (words.some((word) => partWords.has(word))) return "part"
  if (words.some((word) => listWords.has(word))) return "list"
  const isLine = (word: string, at: number) =>
    lineWords.has(word) || (at > 0 && linePairs.get(words[at - 1]!) === word)
  return words.some(isLine) ? "line" : null
}
