/** Whole words of class names and ids that name parts of a page that are not its content. */
const boilerplateWords = new Set(
  (
    "ad ads advert advertisement advertising author authors bio breadcrumb breadcrumbs byline caption " +
    "comment comments consent cookie cookies copyright dfp disqus gallery meta more-on nav navbar " +
    "navigation newsletter outbrain pagination paywall popup promo promotion read-more recirc " +
    "recommend recommendations recommended related share sharing sidebar signup social sponsor " +
    "sponsored subscribe subscription taboola tags teaser timestamp toolbar trending"
  ).split(" "),
)
const contentWords = new Set(["article", "body", "content", "entry", "post", "story", "main"])

const largeShare = 0.2

/** The words of an element's classes and id: `RelatedPosts__list` has related, posts and list. */
function wordsOf(element: Element): string[] {
  const written = `${element.getAttribute("class") ?? ""} ${element.id}`
  const names = written.toLowerCase().split(/\s+/).filter(Boolean)
  return names.flatMap((name) => [name, ...name.split(/[-_]+/)])
}

/** Removes what its class or id names as no content, unless it names content too or is a large part. */
export function dropBoilerplate(document: Document): void {
  const total = document.body.textContent?.length ?? 0
  for (const element of [...document.body.querySelectorAll("[class], [id]")]) {
    if (!element.isConnected || element === document.body) continue
    const words = wordsOf(element)
    if (!words.some((word) => boilerplateWords.has(word))) continue
    if (words.some((word) => contentWords.has(word))) continue
    if ((element.textContent?.length ?? 0) > total * largeShare) continue
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
