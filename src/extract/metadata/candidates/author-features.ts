import { absoluteUrl } from "../../core/index.ts"
import { documentTitle, mainHeading, metaContent } from "../../page/index.ts"
import { isOfType } from "../../structured/index.ts"
import { authorLabel, leading, pressRoles } from "../byline-words.ts"
import { dateInText } from "../dates-in-text.ts"
import type { PageSources } from "../page-sources.ts"
import { isCaseless, isHandle, isOrganisation, isPerson, isPersonName } from "../person-names.ts"
import { authorNames, besideAuthors } from "../words.ts"
import type { PageLines, Place } from "./lines.ts"
import type { Candidate } from "./scorer.ts"
import {
  foldName,
  isAtRight,
  linkAround,
  linkLength,
  peopleAddress,
  peopleWords,
  type ShownAuthor,
  shownAuthors,
} from "./shown-authors.ts"
import { type Author, type StatedAuthor, statedAuthors, statedKinds } from "./stated-authors.ts"
import {
  placeFeatureNames,
  Surroundings,
  wordNear,
  wordsAround,
  wordsOfText,
} from "./surroundings.ts"

/** A name at one place; the same name may stand at others. */
export interface AuthorCandidate extends Candidate, Author {
  key: string
  /** What is stated together: by one source, or in one line. */
  group: string
}

/** Kinds of words: names of the elements around it, further out, the text before and after, its own. */
export const authorWordKinds = 5

const nameFeatures = [
  ...statedKinds.flatMap((kind) => [`${kind} rank`, `${kind} size`]),
  "kinds",
  "node and meta",
  "person",
  "organisation",
  "handle",
  "caseless",
  "words",
  "length",
  "digit",
  "capitals",
  "lower case",
  "site",
  "host",
  "title",
  "description",
  "address",
  "article",
  "lines",
  "first line",
  "other people stated",
  "other people shown",
  "person order",
  "person order after heading",
]
const shownFeatures = [
  "shown",
  "author word",
  "beside word",
  "people word",
  "author property",
  "author rel",
  "people link",
  "own link",
  "link to another site",
  "heading above leads elsewhere",
  "at the right",
  "text of link beyond",
  "after by",
  "after label",
  "before length",
  "after length",
  "date in line",
  "dates near",
  "role after",
  "role below",
  "is line",
  "is part",
  "in first author line",
  "names in line",
  ...placeFeatureNames,
]
/** What a page is likely to be. */
const pageTraits: [name: string, address: RegExp][] = [
  ["forum", /forum|thread|topic|communit|discuss|\/t\/|questions?\/|viewtopic|answers/i],
  ["product", /\/(?:products?|p|dp|item|itm|shop|pd|listing)\//i],
  ["collection", /collections?|categor|\/c\/|\/shop|\/browse|\/tag\//i],
  ["documentation", /docs?[./-]|documentation|reference|\/api|guide|manual|developer|wiki/i],
  ["news", /blog|news|article|story|stories|\/post|\/20\d\d\//i],
  ["service", /service|solution|pricing|about|program|plan|care|features?/i],
]
const nodeTraits: [name: string, types: string[]][] = [
  ["product", ["Product", "ProductGroup", "Offer"]],
  ["discussion", ["DiscussionForumPosting", "QAPage", "Question"]],
  ["list", ["ItemList", "CollectionPage", "OfferCatalog", "SearchResultsPage"]],
  ["recipe", ["Recipe", "HowTo"]],
  ["service", ["Service", "LocalBusiness", "FAQPage", "Course", "ProfessionalService"]],
]

const pageFeatures = [
  "page has article",
  "page og article",
  "page names",
  "page depth",
  "page is root",
  "page lines",
  "page has author word",
  "page states",
  "page has dates",
  "page prose",
  "page prose share",
  "page headings",
  ...pageTraits.map(([name]) => `address ${name}`),
  ...nodeTraits.map(([name]) => `data ${name}`),
]
export const authorFeatureNames = [...nameFeatures, ...shownFeatures, ...pageFeatures]

/** Every name on a page that might be its author's, described; those that are stated come first. */
export function authorCandidates(
  sources: PageSources,
  page: PageLines,
  siteName: string | null,
): AuthorCandidate[] {
  return new AuthorReader(sources, page, siteName).read()
}

interface Known {
  stated: StatedAuthor[]
  lines: Set<number>
  first: number
}

const weakKinds = new Set<string>(["other node", "page node"])
/** Lines in which dates are counted. */
const linesLookedAt = 120
const unknown = shownFeatures.map(() => -1)

class AuthorReader {
  private readonly heading: number
  private readonly stated: StatedAuthor[]
  private readonly shown: ShownAuthor[]
  private readonly known = new Map<string, Known>()
  private readonly around: Surroundings
  private readonly order = new Map<string, number>()
  private readonly orderAfter = new Map<string, number>()
  private readonly inLine = new Map<number, number>()
  private readonly dated = new Map<number, boolean>()
  private readonly leads = new Map<number, number>()
  private readonly described = new Map<string, number[]>()
  /** What the page says of itself, to look for names in. */
  private readonly folded: Record<"host" | "site" | "title" | "description" | "path", string>
  private firstAuthorLine = -1
  private peopleStated = 0
  private peopleShown = 0

  constructor(
    private readonly sources: PageSources,
    private readonly page: PageLines,
    siteName: string | null,
  ) {
    const { hostname, pathname } = new URL(sources.pageUrl)
    this.folded = {
      host: foldName(hostname.replace(/^www\./, "").split(".")[0]!),
      site: foldName(siteName ?? ""),
      title: foldName(documentTitle(sources.document) ?? ""),
      description: foldName(metaContent(sources.meta, "description", "og:description") ?? ""),
      path: foldName(pathname),
    }
    const heading = mainHeading(sources.document.body)
    this.heading = heading ? (page.at.get(heading) ?? -1) : -1
    this.stated = statedAuthors(sources, page)
    this.shown = shownAuthors(page, heading)
    this.around = new Surroundings(page, this.heading)
  }

  read(): AuthorCandidate[] {
    this.count()
    const ofPage = this.ofPage()
    const stated = this.stated.map(({ name, url, kind }): AuthorCandidate => {
      const key = foldName(name)
      return {
        key,
        name,
        url,
        group: kind,
        features: [...this.ofName(key, name), ...unknown, ...ofPage],
        words: [[], [], [], [], wordsOfText(name)],
      }
    })
    const shown = this.shown.map((one): AuthorCandidate => {
      const key = foldName(one.name)
      const link = linkAround(one.place)
      const { inner, outer } = wordsAround(one.place)
      return {
        key,
        name: one.name,
        url: absoluteUrl(link?.getAttribute("href"), this.sources.base),
        group: `line ${one.line}`,
        features: [...this.ofName(key, one.name), ...this.ofShown(one, key, link), ...ofPage],
        words: [inner, outer, this.textBefore(one), this.textAfter(one), wordsOfText(one.name)],
      }
    })
    return [...stated, ...shown].filter(({ key }) => key !== "")
  }

  private entry(key: string): Known {
    let entry = this.known.get(key)
    if (!entry) {
      entry = { stated: [], lines: new Set(), first: -1 }
      this.known.set(key, entry)
    }
    return entry
  }

  /** What is known of each name before any is described. */
  private count(): void {
    const people = { stated: new Set<string>(), shown: new Set<string>() }
    for (const one of this.stated) {
      const key = foldName(one.name)
      this.entry(key).stated.push(one)
      if (!weakKinds.has(one.kind) && isPerson(one.name)) people.stated.add(key)
    }
    for (const { name, line, place } of this.shown) {
      const key = foldName(name)
      const entry = this.entry(key)
      entry.lines.add(line)
      if (entry.first < 0) entry.first = line
      this.around.note(key, line, place)
      this.inLine.set(line, (this.inLine.get(line) ?? 0) + 1)
      const isAuthors = wordNear(place, authorNames) > 0
      if (isAuthors && this.firstAuthorLine < 0) this.firstAuthorLine = line
      if (isAuthors && isPerson(name)) people.shown.add(key)
      if (!isAuthors && !isPersonName(name)) continue
      if (!this.order.has(key)) this.order.set(key, this.order.size)
      if (line >= this.heading && !this.orderAfter.has(key)) {
        this.orderAfter.set(key, this.orderAfter.size)
      }
    }
    this.peopleStated = people.stated.size
    this.peopleShown = people.shown.size
  }

  private ofName(key: string, name: string): number[] {
    const id = `${key} ${name}`
    let features = this.described.get(id)
    if (!features) {
      features = this.describe(key, name)
      this.described.set(id, features)
    }
    return features
  }

  private describe(key: string, name: string): number[] {
    const { host, site, title, description, path } = this.folded
    const { stated, lines, first } = this.entry(key)
    const kinds = new Set(stated.map(({ kind }) => kind))
    const is = (holds: boolean) => (holds ? 1 : 0)
    const own = isPerson(name) ? 1 : 0
    return [
      ...statedKinds.flatMap((kind) => {
        const one = stated.find((other) => other.kind === kind)
        return one ? [1 / (1 + one.rank), one.size] : [0, 0]
      }),
      kinds.size,
      is(kinds.has("main node") && [...kinds].some((kind) => kind.includes("meta"))),
      is(isPersonName(name)),
      is(isOrganisation(name)),
      is(isHandle(name)),
      is(isCaseless(name)),
      name.split(" ").length,
      name.length,
      is(/\d/.test(name)),
      is(name === name.toUpperCase()),
      is(name === name.toLowerCase()),
      site === "" ? 0 : site === key ? 1 : site.includes(key) || key.includes(site) ? 0.5 : 0,
      is(host.length > 3 && (key.includes(host) || host.includes(key))),
      is(title.includes(key)),
      is(description.includes(key)),
      is(path.includes(key)),
      is(/^(?:the|our|die|der|das|la|le)\s/i.test(name)),
      Math.log1p(lines.size),
      first < 0 ? -1 : first / Math.max(1, this.page.lines.length),
      this.peopleStated - (stated.some(({ kind }) => !weakKinds.has(kind)) ? own : 0),
      this.peopleShown - own,
      this.order.get(key) ?? -1,
      this.orderAfter.get(key) ?? -1,
    ]
  }

  private ofShown(one: ShownAuthor, key: string, link: Element | null): number[] {
    const { lines } = this.page
    const { line, place, before, after, name } = one
    const href = link?.getAttribute("href") ?? ""
    const is = (holds: boolean) => (holds ? 1 : 0)
    return [
      1,
      wordNear(place, authorNames),
      wordNear(place, besideAuthors),
      wordNear(place, peopleWords),
      attributeNear(place, ["itemprop", "property"], /author|creator/),
      attributeNear(place, ["rel"], /author/),
      is(peopleAddress.test(href)),
      is(key.length > 4 && foldName(href).includes(key)),
      is(this.isOfOtherSite(href)),
      this.headingElsewhere(line),
      is(isAtRight(place)),
      link ? linkLength(link) - name.length : -1,
      is(before !== "" && leading.test(`${before.trim()} X`)),
      is(authorLabel.test(lines[line - 1]?.text.slice(0, 60) ?? "")),
      before.length,
      after.length,
      is(this.hasDate(line)),
      [line - 2, line - 1, line + 1, line + 2].filter((at) => this.hasDate(at)).length,
      is(pressRoles.test(after.replace(/^[\s,|•·–—-]+/, ""))),
      is(pressRoles.test(lines[line + 1]?.text.slice(0, 60) ?? "")),
      is(one.isLine),
      is(one.isPart),
      is(line === this.firstAuthorLine),
      this.inLine.get(line) ?? 0,
      ...this.around.features(line, place),
    ]
  }

  private hasDate(at: number): boolean {
    const text = this.page.lines[at]?.text ?? ""
    if (text.length > 120 || !/\d/.test(text)) return false
    let has = this.dated.get(at)
    if (has === undefined) {
      has = dateInText(text, null) !== null
      this.dated.set(at, has)
    }
    return has
  }

  private isOfOtherSite(href: string): boolean {
    const { base, pageUrl } = this.sources
    const url = /^(?:https?:)?\/\//i.test(href) ? URL.parse(href, base) : null
    return url !== null && url.hostname !== new URL(pageUrl).hostname
  }

  /** Whether the last heading before a line leads to another page, as those of teasers do. */
  private headingElsewhere(line: number): number {
    const { lines, headingAbove } = this.page
    const at = headingAbove[line]!
    const heading = at < 0 ? null : lines[at]!.place
    if (!heading) return -1
    const known = this.leads.get(at)
    if (known !== undefined) return known
    const inside = lines[at]!.parts.find(({ place }) => linkAround(place))
    const href = inside ? linkAround(inside.place)!.getAttribute("href")! : ""
    const url = href === "" ? null : URL.parse(href, this.sources.base)
    const own = new URL(this.sources.pageUrl).pathname
    const leads = url && url.pathname.replace(/\/$/, "") !== own.replace(/\/$/, "") ? 1 : 0
    this.leads.set(at, leads)
    return leads
  }

  /** The words before a name in its line, or those of a short line above it. */
  private textBefore({ before, isLine, line }: ShownAuthor): string[] {
    const above = isLine ? (this.page.lines[line - 1]?.text ?? "") : ""
    return wordsOfText(before || (above.length < 40 ? above : "")).slice(-3)
  }

  private textAfter({ after, isLine, line }: ShownAuthor): string[] {
    const below = isLine ? (this.page.lines[line + 1]?.text ?? "") : ""
    return wordsOfText(after || (below.length < 40 ? below : "")).slice(0, 2)
  }

  private ofPage(): number[] {
    const { main, meta, pageUrl, structured } = this.sources
    const type = metaContent(meta, "og:type")?.toLowerCase() ?? ""
    const { pathname } = new URL(pageUrl)
    const isArticle = main !== null && isOfType(main, "Article", "NewsArticle", "BlogPosting")
    return [
      isArticle ? 1 : main ? 0.5 : 0,
      type.includes("article") ? 1 : type === "" ? 0.5 : 0,
      Math.log1p(this.known.size),
      pathname.split("/").filter(Boolean).length,
      pathname === "/" ? 1 : 0,
      Math.log1p(this.page.lines.length),
      this.firstAuthorLine >= 0 ? 1 : 0,
      this.stated.length > 0 ? 1 : 0,
      this.page.lines.slice(0, linesLookedAt).filter((_, at) => this.hasDate(at)).length,
      Math.log1p(this.page.prose.at(-1) ?? 0),
      (this.page.prose.at(-1) ?? 0) / Math.max(1, this.page.lines.length),
      Math.log1p(this.page.headings.at(-1) ?? 0),
      ...pageTraits.map(([, address]) => (address.test(pageUrl) ? 1 : 0)),
      ...nodeTraits.map(([, types]) =>
        structured.jsonLd.some(({ data }) => isOfType(data, ...types)) ? 1 : 0,
      ),
    ]
  }
}

function attributeNear(place: Place, names: string[], expression: RegExp): number {
  let at: Place | null = place
  for (let up = 0; at && up < 4; up++, at = at.parent) {
    const { element } = at
    if (names.some((name) => expression.test(element.getAttribute(name) ?? ""))) return 1
  }
  return 0
}
