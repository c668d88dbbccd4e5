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

const [contentBit, partBit, listBit, lineBit] = [1, 2, 4, 8]
const roleBits = bitsByWord()

function bitsByWord(): ReadonlyMap<string, number> {
  const bits = new Map<string, number>()
  const add = (words: ReadonlySet<string>, bit: number) => {
    for (const word of words) bits.set(word, (bits.get(word) ?? 0) | bit)
  }
  add(contentWords, contentBit)
  add(partWords, partBit)
  add(listWords, listBit)
  add(lineWords, lineBit)
  return bits
}

/** The role that the words of a class name or ID give an element. */
export type Role = "part" | "list" | "line"

export function roleOfWords(words: readonly string[]): Role | "content" | null {
  if (words.length === 0) return null
  let [all, any] = [contentBit, 0]
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const bits = roleBits.get(word) ?? 0
    all &= bits
    any |= bits
    if (at > 0 && linePairs.get(words[at - 1]!) === word) any |= lineBit
  }
  if (all !== 0) return "content"
  if ((any & partBit) !== 0) return "part"
  if ((any & listBit) !== 0) return "list"
  return (any & lineBit) !== 0 ? "line" : null
}
