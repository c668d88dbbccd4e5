import { baseUrl, Finder } from "../core/index.ts"
import { isPerson, readMetadata, readSources } from "../metadata/index.ts"
import { pageHeading } from "../page/index.ts"
import { type Locale, placeOfPage } from "../price/index.ts"
import { type Product, readProduct } from "../product/index.ts"
import { type Blocks, repeatedBlocks } from "./blocks.ts"
import { readStates, structuredThings } from "./main-things.ts"
import { microformatThings } from "./microformats.ts"
import { organisationThing } from "./organisation.ts"
import { recipeName } from "./recipes/recipes.ts"
import { Lookup, type Thing } from "./things.ts"
import { View } from "./view.ts"

/** The data of a page; each part is read when it is first needed. */
export class Page {
  readonly base: string
  readonly place: Locale
  readonly lookup: Lookup
  readonly finder = new Finder()
  readonly view: View
  private readonly sources
  private readonly known = new Map<string, unknown>()

  constructor(
    readonly document: Document,
    readonly url: string,
  ) {
    this.base = baseUrl(document, url)
    this.sources = readSources(document, url)
    this.lookup = new Lookup(this.sources.structured)
    this.view = new View(document.body, this.base)
    this.place = placeOfPage(document, url)
  }

  get structured() {
    return this.sources.structured
  }

  get things(): Thing[] {
    return this.once("things", () => [
      ...structuredThings(this.structured),
      ...microformatThings(this.document.body, this.base),
    ])
  }

  get states(): unknown[] {
    return this.once("states", () => readStates(this.document))
  }

  get heading(): string | null {
    return this.once("heading", () => pageHeading(this.document, this.metadata.title))
  }

  /** If the page has no first-level heading: the first heading of its own content. */
  private get subheading(): string | null {
    const { visible } = this.view
    const [first] = visible.headings
    if (!first || first.level === 1 || visible.frames.some((from) => from <= first.from))
      return null
    return visible.line(first)
  }

  private get metadata() {
    return this.once("metadata", () => readMetadata(this.sources))
  }

  get blocks(): Blocks[] {
    return this.once("blocks", () => repeatedBlocks(this.document.body, this.view.visible))
  }

  /** The product that the page sells, merged from its data and visible text. */
  get product(): Thing | null {
    return this.once("product", () => {
      const product = readProduct(this.document, this.url, this.structured)
      return product && { node: productNode(product), source: "product", name: "product" }
    })
  }

  private get isArticle(): boolean {
    return this.metadata.publishedAt !== null && this.metadata.author !== null
  }

  /** The author, if the page is an article and not about a person. */
  get writer(): Thing[] {
    const { heading, isArticle, metadata } = this
    if (!isArticle || isPerson(heading ?? "")) return []
    const [name] = metadata.author!.split(", ")
    return [{ node: { name }, source: "metadata", name: "author" }]
  }

  /** With the name on its card: the page's heading may have more words. */
  get recipe(): Thing[] {
    const name = recipeName(this.view.visible)
    return name === null ? [] : [{ node: { name }, source: "markup", name: "recipe" }]
  }

  /** The organisation that publishes the page, with its contact details. */
  get organisation(): Thing {
    const { heading, isArticle, view } = this
    return this.once("organisation", () =>
      organisationThing(this.document, this.url, { heading, isArticle, view }),
    )
  }

  /** The page's facts about itself. */
  get about(): Thing {
    return this.once("about", () => {
      const { title, description, author, publishedAt, updatedAt, siteName, language, ...rest } =
        this.metadata
      const name = this.heading ?? this.subheading ?? title
      const node = {
        name,
        description,
        author: author === name ? null : author,
        datePublished: publishedAt,
        dateModified: updatedAt,
        // A site name that is only its host names no publisher.
        publisher: URL.parse(this.url)?.host.replace(/^www\./, "") === siteName ? null : siteName,
        inLanguage: language,
        image: rest.imageUrl,
        keywords: rest.keywords.length > 0 ? rest.keywords : null,
        url: rest.canonicalUrl ?? this.url,
      }
      return { node, source: "metadata", name: "page" }
    })
  }

  /** The URL of the page counts as the organisation's only if it has no other or is its first page. */
  get aboutOrganisation(): Thing {
    const { node, ...about } = this.about
    const isOwn = URL.parse(this.url)?.pathname === "/"
    return isOwn ? this.about : { ...about, node: { ...node, url: null } }
  }

  private once<T>(key: string, read: () => T): T {
    if (!this.known.has(key)) this.known.set(key, read())
    return this.known.get(key) as T
  }
}

/** A product by the names of schema.org. */
function productNode({ attributes = {}, ...product }: Product): Record<string, unknown> {
  const { rating, reviewCount, ratingBest, images, breadcrumbs, ...rest } = product
  return {
    ...attributes,
    ...rest,
    priceCurrency: product.currency,
    image: images,
    itemCondition: product.condition,
    aggregateRating: { ratingValue: rating, reviewCount, bestRating: ratingBest },
    breadcrumbs,
    category: product.category ?? breadcrumbs?.at(-1),
  }
}
