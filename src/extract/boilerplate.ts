const words = (list: string) => new Set(list.split(/\s+/).filter(Boolean))

/** Words of class names and ids that name a part of the page which is not its content. */
const partWords = words(`
  ad ads adv advert adverts advertisement advertising adsense adslot adunit banner banners dfp gpt
  sponsor sponsored promo promos promoted promotion promotions outbrain taboola teads revcontent
  mgid zergnet affiliate disclaimer
  share shares sharing sharethis sharedaddy sharebar addthis addtoany social socials socialbar
  whatsapp
  breadcrumb breadcrumbs pagination pager paging navigation nav navbar menu toolbar
  related relatedposts recommend recommended recommendation recommendations recirc trending popular
  mostread readmore teaser teasers recent
  newsletter newsletters signup subscribe subscription paywall registration login cta
  comment comments disqus respond replies
  cookie cookies consent gdpr popup modal
  sidebar footer
`)

/** Words that name a line about the content: who wrote it, when, where it is filed. */
const lineWords = words(`
  author authors authorbox bio biography byline bylines vcard contributor contributors
  date dates dateline datetime timestamp time published publish posted updated modified meta metadata
  postmeta postinfo postdate submitted
  caption captions credit credits copyright attribution
  tag tags taglist keywords category categories filed
  rating ratings vote votes print email views counter follow like likes tools utility permalink
  readtime more-on read-more see-also
`)

/** Words that name the content itself, or say nothing. */
const contentWords = words(`
  article articles body bodytext content contents entry main post page story text copy wrapper wrap
  container inner outer column col columns row section block area
`)

const longestLine = 300
const largeShare = 0.2

/** `RelatedPosts__list` has related, posts and list; pairs such as read-more count as one, too. */
function namesOf(element: Element): string[][] {
  const written = `${element.getAttribute("class") ?? ""} ${element.id}`
  return written
    .split(/\s+/)
    .filter(Boolean)
    .map((name) =>
      name
        .replace(/([a-z])([A-Z])/g, "$1-$2")
        .toLowerCase()
        .split(/[^a-z]+/)
        .filter(Boolean),
    )
}

/** What the names of an element say that it is; null when they say nothing, or that it is content. */
function roleOf(element: Element): "part" | "line" | null {
  let role: "part" | "line" | null = null
  for (const name of namesOf(element)) {
    if (name.length > 0 && name.every((word) => contentWords.has(word))) return null
    const pairs = name.slice(1).map((word, index) => `${name[index]}-${word}`)
    if (name.some((word) => partWords.has(word))) role = "part"
    else if ([...name, ...pairs].some((word) => lineWords.has(word))) role ??= "line"
  }
  return role
}

/** Removes what its class or id names as no content, unless it is a large part of the page. */
export function dropBoilerplate(document: Document): void {
  const total = document.body.textContent?.length ?? 0
  for (const element of [...document.body.querySelectorAll("[class], [id]")]) {
    if (element === document.body || !document.body.contains(element)) continue
    const role = roleOf(element)
    if (role === null) continue
    const length = element.textContent?.trim().length ?? 0
    if (length > total * largeShare || (role === "line" && length > longestLine)) continue
    if (element.querySelector("h1")) continue
    element.remove()
  }
}

const linkShare = 0.66
const shortParagraph = 120

/** Removes blocks that are mostly links: lists of other articles, "read more" lines. */
export function dropLinkBlocks(root: Element): void {
  for (const block of [...root.querySelectorAll("p, ul, ol, div, section, table")]) {
    const length = block.textContent?.trim().length ?? 0
    if (length === 0) continue
    let linked = 0
    for (const link of block.getElementsByTagName("a"))
      linked += link.textContent?.trim().length ?? 0
    const share = linked / length
    const isLinks =
      block.localName === "p" ? share > 0.9 && length < shortParagraph : share > linkShare
    if (isLinks) block.remove()
  }
}
