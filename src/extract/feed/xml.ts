import {
  absoluteUrl,
  distinct,
  integerOrNull,
  isoDate,
  parseBrokenXml,
  parseXml,
  type XmlElement,
} from "../core/index.ts"
import type { Feed, FeedEnclosure, FeedEntry, FeedType } from "./feed.ts"
import { FeedNode } from "./node.ts"
import { entryHash, feedSummary, feedTitle, firstImage, joinedNames, personName } from "./text.ts"

const xmlNamespace = "http://www.w3.org/XML/1998/namespace"

/** RSS, RDF or Atom; null for anything else. */
export function readXmlFeed(text: string, feedUrl: string): Feed | null {
  const start = /<\?xml\b|<(?:[\w.-]+:)?(?:rss|feed|rdf)\b|<!doctype html|<html\b/i.exec(text)
  if (!start || /html/i.test(start[0])) return null
  const source = text.slice(start.index)
  const whole = parseXml(source)
  const root = whole ?? parseBrokenXml(source)
  const name = root?.name.toLowerCase()
  if (!root || (name !== "rss" && name !== "rdf" && name !== "feed")) return null
  if (name !== "feed" && !holdsChannel(root)) return null
  const type = name === "feed" ? "atom" : name
  return new XmlFeedReader(root, type, feedUrl).read(whole === null)
}

const holdsChannel = (root: XmlElement) =>
  root.elements().some((child) => /^(?:channel|item)$/i.test(child.name))

class XmlFeedReader {
  private readonly channel: FeedNode
  private readonly items: FeedNode[]
  private readonly base: string
  private readonly author: string | null

  constructor(
    root: XmlElement,
    private readonly type: FeedType,
    private readonly feedUrl: string,
  ) {
    const first = root.elements().find((child) => /^(?:channel|item|entry)$/i.test(child.name))
    const own = type === "atom" ? root.namespace : (first?.namespace ?? root.namespace)
    const top = new FeedNode(root, own)
    this.channel = type === "atom" ? top : (top.first("channel") ?? top)
    this.items =
      type === "atom"
        ? top.all("entry")
        : distinct([...this.channel.all("item"), ...top.all("item")])
    const rootBase = absoluteUrl(root.attribute("base", xmlNamespace), feedUrl)
    this.base = rootBase ?? absoluteUrl(linkOf(this.channel), feedUrl) ?? feedUrl
    this.author = authorOf(this.channel) ?? personName(this.channel.text("managingeditor"))
  }

  read(broken: boolean): Feed {
    const { channel } = this
    return {
      type: this.type,
      title: titleOf(channel),
      link: absoluteUrl(linkOf(channel), this.feedUrl),
      description: feedSummary(
        htmlOf(channel, "description", "subtitle", "tagline", "itunes:summary"),
      ),
      language:
        channel.text("language", "dc:language") ?? channel.element.attribute("lang", xmlNamespace),
      author: this.author,
      image: this.address(
        channel.first("image")?.text("url") ??
          channel.first("itunes:image")?.attribute("href") ??
          channel.text("logo", "icon"),
      ),
      updated: firstDate(channel, "lastbuilddate", "pubdate", "updated", "modified", "dc:date"),
      selfUrl: absoluteUrl(relatedLink(channel, "self"), this.feedUrl),
      nextUrl: absoluteUrl(relatedLink(channel, "next"), this.feedUrl),
      broken,
      channel,
      entryCount: this.items.length,
      entries: () => this.entries(),
    }
  }

  private *entries(): Generator<FeedEntry> {
    for (const item of this.items) yield this.entry(item)
  }

  private address(written: string | null, item?: FeedNode): string | null {
    const base = item && absoluteUrl(item.element.attribute("base", xmlNamespace), this.base)
    return absoluteUrl(written, base ?? this.base)
  }

  private entry(item: FeedNode): FeedEntry {
    const title = titleOf(item)
    const group = item.first("media:group")
    const description =
      htmlOf(item, "description", "summary", "itunes:summary") ??
      (group ? htmlOf(group, "media:description") : null)
    const content = htmlOf(item, "content:encoded", "content", "xhtml:body") ?? description
    const updatedAt = firstDate(item, "updated", "modified", "atom:updated", "dcterms:modified")
    const publishedAt =
      firstDate(
        item,
        "published",
        "pubdate",
        "dc:date",
        "dcterms:created",
        "issued",
        "created",
        "atom:published",
      ) ?? updatedAt
    const url = this.address(entryLink(item), item)
    const enclosures = this.enclosures(item)
    return {
      title,
      url,
      guid:
        item.text("guid", "id") ??
        item.element.attribute("about", "http://www.w3.org/1999/02/22-rdf-syntax-ns#") ??
        url ??
        entryHash(title, publishedAt),
      author: authorOf(item) ?? this.author,
      publishedAt,
      updatedAt,
      summary: feedSummary(description, content),
      content,
      categories: categoriesOf(item),
      imageUrl: this.address(
        mediaImage(item) ??
          enclosures.find((enclosure) => enclosure.type?.startsWith("image/"))?.url ??
          item.first("itunes:image")?.attribute("href") ??
          firstImage(content) ??
          firstImage(description),
        item,
      ),
      enclosures,
      commentsUrl: this.address(item.text("comments") ?? relatedLink(item, "replies"), item),
      commentsCount: integerOrNull(item.text("slash:comments", "thr:total")),
      node: item,
    }
  }

  private enclosures(item: FeedNode): FeedEnclosure[] {
    const links = linkNodes(item).filter((link) => link.attribute("rel") === "enclosure")
    const enclosures = [...item.all("enclosure"), ...links].flatMap((node): FeedEnclosure[] => {
      const url = this.address(node.attribute("url") ?? node.attribute("href"), item)
      if (url === null) return []
      return [{ url, type: node.attribute("type")?.toLowerCase() ?? null, length: bytesOf(node) }]
    })
    return enclosures.filter(
      (enclosure, index) => enclosures.findIndex(({ url }) => url === enclosure.url) === index,
    )
  }
}

function bytesOf(enclosure: FeedNode): number | null {
  const length = integerOrNull(enclosure.attribute("length"))
  return length !== null && length > 0 ? length : null
}

const linkNodes = (node: FeedNode) => [...node.all("link"), ...node.all("atom:link")]

function relatedLink(node: FeedNode, rel: string): string | null {
  return (
    linkNodes(node)
      .find((link) => link.attribute("rel") === rel)
      ?.attribute("href") ?? null
  )
}

/** Atom's `link` to the page itself: `rel` is alternate or missing; HTML before other types. */
function alternateLink(node: FeedNode, name: string): string | null {
  const alternates = node
    .all(name)
    .filter(
      (link) => (link.attribute("rel") ?? "alternate") === "alternate" && link.attribute("href"),
    )
  const page = alternates.find((link) => (link.attribute("type") ?? "text/html").includes("html"))
  return (page ?? alternates[0])?.attribute("href") ?? null
}

/** The page of a channel or entry, as written. */
function linkOf(node: FeedNode): string | null {
  return node.text("link") ?? alternateLink(node, "link") ?? alternateLink(node, "atom:link")
}

function entryLink(item: FeedNode): string | null {
  const original = item.text("feedburner:origlink")
  if (original) return original
  const link = item.text("link") ?? alternateLink(item, "link")
  if (link) return link
  const guid = item.first("guid")
  if (
    guid &&
    guid.attribute("ispermalink")?.toLowerCase() !== "false" &&
    /^https?:\/\//i.test(guid.content)
  ) {
    return guid.content
  }
  return (
    alternateLink(item, "atom:link") ??
    item.first("content")?.attribute("src") ??
    item.element.attribute("about", "http://www.w3.org/1999/02/22-rdf-syntax-ns#")
  )
}

function titleOf(node: FeedNode): string | null {
  const title = node.all("title").find((element) => element.content !== "")
  if (!title) return feedTitle(node.text("dc:title", "itunes:title", "media:title"))
  // Text that declares itself plain may hold angle brackets of its own.
  return title.attribute("type") === "text" && !/&\w+;/.test(title.content)
    ? title.content.replace(/\s+/g, " ")
    : feedTitle(title.html)
}

/** The HTML of the first of these children that holds any. */
function htmlOf(node: FeedNode, ...names: string[]): string | null {
  for (const name of names) {
    for (const child of node.all(name)) {
      const { html } = child
      if (html !== "") return child.attribute("type") === "text" ? escapedText(html) : html
    }
  }
  return null
}

/** In Atom's `type="text"`, markup characters are literal. */
const escapedText = (text: string) => text.replaceAll("<", "&lt;")

function firstDate(node: FeedNode, ...names: string[]): string | null {
  for (const name of names) {
    const date = isoDate(node.text(name))
    if (date !== null) return date
  }
  return null
}

function authorOf(node: FeedNode): string | null {
  const people = [...node.all("author"), ...node.all("atom:author")]
  const named = joinedNames(people.map((person) => feedTitle(person.text("name", "atom:name"))))
  if (named) return named
  const credits = joinedNames(
    node.all("dc:creator").map((creator) => personName(creator.content || null)),
  )
  if (credits) return credits
  const speakers = personName(node.text("itunes:author"))
  if (speakers) return speakers
  const plain = people.filter((person) => person.element.elements().length === 0)
  return joinedNames(plain.map((person) => personName(person.content || null)))
}

function categoriesOf(item: FeedNode): string[] {
  const categories = item
    .all("category")
    .map(
      (category) => category.content || category.attribute("label") || category.attribute("term"),
    )
  const subjects = item.all("dc:subject").map((subject) => subject.content)
  const keywords = [item, ...item.all("media:group")].flatMap((group) =>
    (group.text("media:keywords") ?? "").split(","),
  )
  const names = [...categories, ...subjects, ...keywords].map((name) => feedTitle(name))
  return distinct(names.filter((name) => name !== null))
}

/** The largest image among `media:content`, else the thumbnail. */
function mediaImage(item: FeedNode): string | null {
  const groups = [item, ...item.all("media:group"), ...item.all("media:content")]
  const images = groups
    .flatMap((group) => group.all("media:content"))
    .filter((content) => content.attribute("url") && isImage(content))
  const [first] = images
  const largest = images.reduce(
    (best, photo) => (best && area(photo) <= area(best) ? best : photo),
    first,
  )
  if (largest) return largest.attribute("url")
  const thumbnails = groups.flatMap((group) => group.all("media:thumbnail"))
  const thumbnail = thumbnails.reduce<FeedNode | undefined>(
    (best, thumbnail) => (best && area(thumbnail) <= area(best) ? best : thumbnail),
    undefined,
  )
  return thumbnail?.attribute("url") ?? null
}

function isImage(content: FeedNode): boolean {
  const medium = content.attribute("medium")
  if (medium) return medium === "image"
  const type = content.attribute("type")
  if (type) return type.startsWith("image/")
  return /\.(?:jpe?g|png|gif|webp|avif)(?:\?|$)/i.test(content.attribute("url") ?? "")
}

function area(photo: FeedNode): number {
  const width = integerOrNull(photo.attribute("width")) ?? 0
  return width * (integerOrNull(photo.attribute("height")) ?? width)
}
