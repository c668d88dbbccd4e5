import { documentTitle, metaContent } from "../../page/index.ts"
import type { PageSources } from "../page-sources.ts"
import { isCaseless, isHandle, isOrganisation, isPersonName } from "../text/person-names.ts"
import type { PeopleOfPage } from "./people-of-page.ts"
import { foldName } from "./shown-authors.ts"
import { statedKinds } from "./stated-authors.ts"

/** Features of a name itself: its form, and its sources. */

export const nameFeatureNames = [
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

export class NameFeatures {
  private readonly described = new Map<string, number[]>()
  /** The page's own texts that may contain a name. */
  private readonly folded: Record<"host" | "site" | "title" | "description" | "path", string>

  constructor(
    private readonly people: PeopleOfPage,
    { document, meta, pageUrl }: PageSources,
    siteName: string | null,
  ) {
    const { hostname, pathname } = new URL(pageUrl)
    this.folded = {
      host: foldName(hostname.replace(/^www\./, "").split(".")[0]!),
      site: foldName(siteName ?? ""),
      title: foldName(documentTitle(document) ?? ""),
      description: foldName(metaContent(meta, "description", "og:description") ?? ""),
      path: foldName(pathname),
    }
  }

  of(key: string, name: string): number[] {
    const id = `${key} ${name}`
    let features = this.described.get(id)
    if (!features) {
      features = this.describe(key, name)
      this.described.set(id, features)
    }
    return features
  }

  private describe(key: string, name: string): number[] {
    const { people } = this
    const { host, site, title, description, path } = this.folded
    const { stated, lines, first } = people.entry(key)
    const kinds = new Set(stated.map(({ kind }) => kind))
    const is = (holds: boolean) => (holds ? 1 : 0)
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
      first < 0 ? -1 : first / Math.max(1, people.page.lines.length),
      ...people.othersThan(key, name),
      people.order.get(key) ?? -1,
      people.orderAfter.get(key) ?? -1,
    ]
  }
}
