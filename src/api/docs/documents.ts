import type { AnyElysia } from "elysia"
import { BoundedMap } from "../../base/bounded-map.ts"
import { RootedText } from "../http/rooted-text.ts"
import type { ScraperParts } from "../service-parts.ts"
import { knownScraper } from "../v1/scrapers.ts"
import { type OpenApiDocument, openApiDocument } from "./openapi.ts"
import { asMarkdown, pathsBelow } from "./paths.ts"
import { withScrapers } from "./scraper-schemas.ts"

const storedDocuments = 8

/**
 * Variants of the OpenAPI document, each generated once. Only the public URL of the service is
 * inserted per request.
 */
export class Documents {
  private plain: OpenApiDocument | undefined
  private markdown: RootedText | undefined
  private readonly texts = new BoundedMap<string, RootedText>(storedDocuments)

  constructor(
    private readonly service: ScraperParts,
    private readonly api: () => AnyElysia,
  ) {}

  /** Returns the document with the schemas of these scrapers. @throws ApiError 404 */
  at(root: string, slugs: "all" | string[] = [], path?: string): Uint8Array<ArrayBuffer> {
    const scrapers =
      slugs === "all"
        ? this.service.catalogue
        : [...new Set(slugs)].map((slug) => knownScraper(this.service, slug))
    const names = slugs === "all" ? "all" : scrapers.map(({ slug }) => slug).join()
    const key = JSON.stringify([names, path])
    let text = this.texts.get(key)
    if (!text) {
      text = new RootedText((placeholder) => {
        const whole = this.document(placeholder)
        const document = path === undefined ? whole : pathsBelow(whole, path)
        return JSON.stringify(scrapers.length > 0 ? withScrapers(document, scrapers) : document)
      })
      this.texts.set(key, text)
    }
    return text.at(root)
  }

  /** Returns one line per route. */
  markdownAt(root: string): Uint8Array<ArrayBuffer> {
    this.markdown ??= new RootedText((placeholder) => asMarkdown(this.document(placeholder)))
    return this.markdown.at(root)
  }

  private document(root: string): OpenApiDocument {
    this.plain ??= openApiDocument(this.api(), root)
    return this.plain
  }
}
