import { mainHeading } from "../../page/index.ts"
import type { PageSources } from "../page-sources.ts"
import { isPerson, isPersonName } from "../text/person-names.ts"
import { nameMeaning } from "./element-names.ts"
import type { PageLines } from "./lines.ts"
import { foldName, type VisibleAuthor, visibleAuthors } from "./shown-authors.ts"
import { type StatedAuthor, statedAuthors } from "./stated-authors.ts"
import { Surroundings, statedNear } from "./surroundings.ts"

/** The facts about one name anywhere on a page. */
interface Known {
  stated: StatedAuthor[]
  lines: Set<number>
  first: number
}

/** Nodes that may be of anything. */
const weakKinds = new Set<string>(["other node", "page node"])

/** All names of a page, counted before any of them is described. */
export class PeopleOfPage {
  /** The line of the page's main heading, -1 for none. */
  readonly heading: number
  readonly stated: StatedAuthor[]
  readonly visible: VisibleAuthor[]
  readonly around: Surroundings
  /** The position of a person's name among all, from the page's start and from its heading. */
  readonly order = new Map<string, number>()
  readonly orderAfter = new Map<string, number>()
  /** The number of names in each line. */
  readonly inLine = new Map<number, number>()
  firstAuthorLine = -1
  private readonly known = new Map<string, Known>()
  private peopleStated = 0
  private peopleVisible = 0

  constructor(
    sources: PageSources,
    readonly page: PageLines,
  ) {
    const heading = mainHeading(sources.document.body)
    this.heading = heading ? (page.at.get(heading) ?? -1) : -1
    this.stated = statedAuthors(sources, page)
    this.visible = visibleAuthors(page, heading)
    this.around = new Surroundings(page, this.heading)
    this.count()
  }

  get size(): number {
    return this.known.size
  }

  entry(key: string): Known {
    let entry = this.known.get(key)
    if (!entry) {
      entry = { stated: [], lines: new Set(), first: -1 }
      this.known.set(key, entry)
    }
    return entry
  }

  /** Returns how many other people are stated, and shown as authors. */
  othersThan(key: string, name: string): [stated: number, visible: number] {
    const own = isPerson(name) ? 1 : 0
    const isStated = this.entry(key).stated.some(({ kind }) => !weakKinds.has(kind))
    return [this.peopleStated - (isStated ? own : 0), this.peopleVisible - own]
  }

  private count(): void {
    const people = { stated: new Set<string>(), visible: new Set<string>() }
    for (const one of this.stated) {
      const key = foldName(one.name)
      this.entry(key).stated.push(one)
      if (!weakKinds.has(one.kind) && isPerson(one.name)) people.stated.add(key)
    }
    for (const { name, line, context } of this.visible) {
      const key = foldName(name)
      const entry = this.entry(key)
      entry.lines.add(line)
      if (entry.first < 0) entry.first = line
      this.around.note(key, line, context)
      this.inLine.set(line, (this.inLine.get(line) ?? 0) + 1)
      const isAuthors = statedNear(context, nameMeaning.author) > 0
      if (isAuthors && this.firstAuthorLine < 0) this.firstAuthorLine = line
      if (isAuthors && isPerson(name)) people.visible.add(key)
      if (!isAuthors && !isPersonName(name)) continue
      if (!this.order.has(key)) this.order.set(key, this.order.size)
      if (line >= this.heading && !this.orderAfter.has(key)) {
        this.orderAfter.set(key, this.orderAfter.size)
      }
    }
    this.peopleStated = people.stated.size
    this.peopleVisible = people.visible.size
  }
}
