/** A technology and its signs in a page. The first group of a pattern is the version. */
export interface TechnologyRule {
  name: string
  categories: readonly Category[]
  /** Its home page, without the scheme. */
  site: string
  /** `<meta name=generator>`. */
  generator?: RegExp
  /** Response headers, by lower-case name. */
  headers?: Record<string, RegExp>
  /** Names of cookies. */
  cookie?: RegExp
  /** URLs of scripts, style sheets, images and frames. */
  url?: readonly RegExp[]
  /** Text of inline scripts. */
  script?: RegExp
  /** The page's own URL. */
  page?: RegExp
  /** Markup: tags and attributes. */
  html?: RegExp
  /** HTML comments. */
  comment?: RegExp
  /** A selector that matches an element. */
  dom?: string
  /** Other meta elements, by name or property. */
  meta?: Record<string, RegExp>
  /** Overrides the confidence of the signs other than generator, header and cookie, in percent. */
  weight?: number
  implies?: readonly string[]
}

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
