import { attributesOf } from "../../core/index.ts"
import type { PageSources } from "../page-sources.ts"
import { authorLabel, leading, pressRoles } from "../text/byline-words.ts"
import { nameMeaning, peopleAddress } from "./element-names.ts"
import type { LineDates } from "./line-dates.ts"
import type { ElementContext } from "./lines.ts"
import type { PeopleOfPage } from "./people-of-page.ts"
import { foldName, isAtRight, linkAround, linkLength, type VisibleAuthor } from "./shown-authors.ts"
import { statedNear, surroundingFeatureNames, wordsOfText } from "./surroundings.ts"

/** Features of a name's position in the text of a page. */

export const visibleFeatureNames = [
  "shown",
  "author word",
  "near author word",
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
  ...surroundingFeatureNames,
]
/** The features of names that are stated but not shown. */
export const unshown = visibleFeatureNames.map(() => -1)

export class VisibleFeatures {
  private readonly leads = new Map<number, number>()
  private readonly hostname: string
  private readonly path: string

  constructor(
    private readonly people: PeopleOfPage,
    private readonly sources: PageSources,
    private readonly dates: LineDates,
  ) {
    const { hostname, pathname } = new URL(sources.pageUrl)
    this.hostname = hostname
    this.path = plain(pathname)
  }

  of(one: VisibleAuthor, key: string, link: Element | null): number[] {
    const { people, dates } = this
    const { lines } = people.page
    const { line, context, before, after, name } = one
    const href = link?.getAttribute("href") ?? ""
    const is = (holds: boolean) => (holds ? 1 : 0)
    return [
      1,
      statedNear(context, nameMeaning.author),
      statedNear(context, nameMeaning.nearAuthor),
      statedNear(context, nameMeaning.people),
      ...markedNear(context),
      is(peopleAddress.test(href)),
      is(key.length > 4 && foldName(href).includes(key)),
      is(this.isOfOtherSite(href)),
      this.headingElsewhere(line),
      is(isAtRight(context)),
      link ? linkLength(link) - name.length : -1,
      is(before !== "" && leading.test(`${before.trim()} X`)),
      is(authorLabel.test(lines[line - 1]?.text.slice(0, 60) ?? "")),
      before.length,
      after.length,
      is(dates.has(line)),
      [line - 2, line - 1, line + 1, line + 2].filter((at) => dates.has(at)).length,
      is(pressRoles.test(after.replace(/^[\s,|•·–—-]+/, ""))),
      is(pressRoles.test(lines[line + 1]?.text.slice(0, 60) ?? "")),
      is(one.isLine),
      is(one.isPart),
      is(line === people.firstAuthorLine),
      people.inLine.get(line) ?? 0,
      ...people.around.features(line, context),
    ]
  }

  /** The words before a name in its line, or those of a short line above it. */
  textBefore({ before, isLine, line }: VisibleAuthor): string[] {
    const above = isLine ? (this.people.page.lines[line - 1]?.text ?? "") : ""
    return wordsOfText(before || (above.length < 40 ? above : "")).slice(-3)
  }

  textAfter({ after, isLine, line }: VisibleAuthor): string[] {
    const below = isLine ? (this.people.page.lines[line + 1]?.text ?? "") : ""
    return wordsOfText(after || (below.length < 40 ? below : "")).slice(0, 2)
  }

  private isOfOtherSite(href: string): boolean {
    const url = /^(?:https?:)?\/\//i.test(href) ? URL.parse(href, this.sources.base) : null
    return url !== null && url.hostname !== this.hostname
  }

  /** Returns whether the last heading before a line leads to another page, as those of teasers do. */
  private headingElsewhere(line: number): number {
    const { lines, headingAbove } = this.people.page
    const at = headingAbove[line]!
    const heading = at < 0 ? null : lines[at]!.context
    if (!heading) return -1
    const known = this.leads.get(at)
    if (known !== undefined) return known
    const inside = lines[at]!.parts.find(({ context }) => linkAround(context))
    const href = inside ? linkAround(inside.context)!.getAttribute("href")! : ""
    const url = href === "" ? null : URL.parse(href, this.sources.base)
    const leads = url && plain(url.pathname) !== this.path ? 1 : 0
    this.leads.set(at, leads)
    return leads
  }
}

const plain = (path: string) => path.replace(/\/$/, "")

const marks = ["itemprop", "property", "rel"]

/** Returns whether an element, or one just around it, is marked as an author's by its property, and by its rel. */
function markedNear(context: ElementContext): [property: number, rel: number] {
  let [ofProperty, ofRel] = [0, 0]
  let at: ElementContext | null = context
  for (let up = 0; at && up < 4; up++, at = at.parent) {
    const [item = "", property = "", rel = ""] = attributesOf(at.element, marks)
    if (/author|creator/.test(item) || /author|creator/.test(property)) ofProperty = 1
    if (rel.includes("author")) ofRel = 1
  }
  return [ofProperty, ofRel]
}
