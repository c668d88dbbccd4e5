/** The traces of a product in pages that use it. A pattern's first group is the version. */
export interface TechnologyRule {
  name: string
  categories: readonly Category[]
  /** Its home, without scheme. */
  site: string
  /** `<meta name=generator>`; sure. */
  generator?: RegExp
  /** Response headers, by lower-case name; sure. */
  headers?: Record<string, RegExp>
  /** Names of cookies; sure. */
  cookies?: RegExp
  /** Addresses of scripts, style sheets, pictures and frames; 95. */
  url?: RegExp | readonly RegExp[]
  /** Text of scripts within the page; 80. */
  script?: RegExp
  /** The page's own address; a hint: 50. */
  page?: RegExp
  /** Markup: tags and attributes; 80. */
  html?: RegExp
  /** Comments, where the words of an article do not count; 90. */
  comment?: RegExp
  /** A selector that finds an element; 80. */
  dom?: string
  /** Other meta elements, by name or property; 90. */
  meta?: Record<string, RegExp>
  /** Overrides the confidence of the signs other than generator, header and cookie. */
  weight?: number
  implies?: readonly string[]
}

type Signs = Omit<TechnologyRule, "name" | "categories" | "site">

/** A rule: what the product is called, what it is, its home, and the signs of it. */
export const technology = (
  name: string,
  category: Category | readonly Category[],
  site: string,
  signs: Signs,
): TechnologyRule => ({ name, categories: [category].flat(), site, ...signs })

/** In the order in which they are listed. */
export const categories = [
  "CMS",
  "E-commerce",
  "Page builder",
  "Static site generator",
  "Documentation",
  "Forum",
  "JavaScript framework",
  "Web framework",
  "CSS framework",
  "JavaScript library",
  "Programming language",
  "Web server",
  "CDN",
  "Hosting",
  "Database",
  "Caching",
  "Security",
  "Analytics",
  "Tag manager",
  "Advertising",
  "Marketing",
  "Consent",
  "Live chat",
  "A/B testing",
  "Search",
  "Payment",
  "Video",
  "Audio",
  "Fonts",
  "Maps",
  "Comments",
  "Reviews",
  "Forms",
  "Booking",
  "Monitoring",
  "SEO",
  "WordPress plugin",
  "WordPress theme",
  "Accessibility",
  "Translation",
  "Widgets",
] as const
export type Category = (typeof categories)[number]
