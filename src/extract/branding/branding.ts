import { colorIn, isDark, isVivid } from "./colors.ts"
import { type CssRule, readDeclarations, readRules, resolved } from "./css-rules.ts"

export interface Branding {
  colorScheme: "light" | "dark" | null
  /** By role, as `#RRGGBB`; a role without a style is absent. */
  colors: Record<string, string>
  /** Families, the most used first. */
  fonts: string[]
  fontFamilies: Record<string, string>
  fontSizes: Record<string, string>
  /** The main button. */
  button: {
    background: string | null
    textColor: string | null
    borderRadius: string | null
  } | null
}

const maxCssCharacters = 3_000_000
const maxFonts = 10
const maxInline = 2000

/**
 * Returns the colours and fonts of a page, from its style sheets, its `style` elements and attributes.
 *
 * @example
 * ```ts
 * readBranding(parseDocument("<p>Text"), ["body { background: #fff; color: #222 }"]).colors.background // "#FFFFFF"
 * ```
 */
export function readBranding(document: Document, sheets: readonly string[]): Branding {
  const inline = [...document.querySelectorAll("style")].map((style) => style.textContent ?? "")
  const css = [...sheets, ...inline].join("\n").slice(0, maxCssCharacters)
  const own = [document.documentElement, document.body].map((element) => ({
    selectors: ["body"],
    declarations: readDeclarations(element?.getAttribute("style") ?? ""),
  }))
  const styles = new Styles([...own, ...readRules(css)])
  const colors = colorsOf(styles, document)
  const { background } = colors
  const button = styles.of(isButton)
  const declared = styles.value(isRoot, "color-scheme") ?? metaOf(document, "color-scheme")
  return {
    colorScheme: schemeOf(declared, background),
    colors,
    fonts: fontsOf(styles, document),
    fontFamilies: definedOnly({
      primary: familyOf(styles.value(isBody, "font-family", "font")),
      heading: familyOf(styles.value(isHeading, "font-family", "font")),
      code: familyOf(styles.value(isCode, "font-family", "font")),
    }),
    fontSizes: definedOnly({
      h1: styles.value(named("h1"), "font-size"),
      h2: styles.value(named("h2"), "font-size"),
      h3: styles.value(named("h3"), "font-size"),
      body: styles.value(isBody, "font-size"),
    }),
    button: button && {
      background: styles.color(isButton, "background-color", "background") ?? null,
      textColor: styles.color(isButton, "color") ?? null,
      borderRadius: styles.value(isButton, "border-radius") ?? null,
    },
  }
}

type Match = (selector: string) => boolean

const named =
  (...names: string[]): Match =>
  (selector) =>
    names.includes(selector)
const isRoot = named(":root", "html", "body")
const isBody = named("body", "html", "html body", ":root")
const isHeading = named("h1", "h2")
const isCode = named("code", "pre", "kbd")
const isLink = named("a", "a:link", "body a", "main a")
const isButton: Match = (selector) =>
  /^(?:a|button|input)?\.?(?:btn|button|cta)(?:[-_]+(?:primary|main))?$|^\.?(?:primary[-_]+(?:btn|button))$|^button$/.test(
    selector,
  )

/** The values of a page's rules; of several, the first: later ones are themes and screen sizes. */
class Styles {
  readonly properties = new Map<string, string>()

  constructor(readonly rules: readonly CssRule[]) {
    for (const { selectors, declarations } of rules) {
      if (!selectors.some((one) => isRoot(one) || one === ":host" || one === "*")) continue
      for (const [name, value] of declarations) {
        // A dark theme is another rule: the first value is that of the page as it comes.
        if (name.startsWith("--") && !this.properties.has(name)) this.properties.set(name, value)
      }
    }
  }

  of(match: Match): CssRule | null {
    return this.rules.find(({ selectors }) => selectors.some(match)) ?? null
  }

  value(match: Match, ...names: string[]): string | undefined {
    for (const { selectors, declarations } of this.rules) {
      if (!selectors.some(match)) continue
      for (const name of names) {
        const value = resolved(declarations.get(name) ?? "", this.properties)
        if (value && !/^(?:inherit|initial|unset|none)$/i.test(value)) return value
      }
    }
    return undefined
  }

  color(match: Match, ...names: string[]): string | undefined {
    for (const { selectors, declarations } of this.rules) {
      if (!selectors.some(match)) continue
      for (const name of names) {
        const value = resolved(declarations.get(name) ?? "", this.properties)
        const color = value ? colorIn(value) : null
        if (color) return color
      }
    }
    return undefined
  }

  /** Returns the value of the first custom property whose name matches. */
  property(pattern: RegExp): string | undefined {
    for (const [name, value] of this.properties) {
      if (!pattern.test(name)) continue
      const color = colorIn(resolved(value, this.properties) ?? "")
      if (color) return color
    }
    return undefined
  }
}

const role = (name: string) =>
  new RegExp(`^--(?:[\\w-]+-)?(?:${name})(?:-(?:color|colour|base|default|main|500|600))?$`, "i")

function colorsOf(styles: Styles, document: Document): Record<string, string> {
  const background =
    styles.color(isBody, "background-color", "background") ??
    styles.property(role("background|bg|page-bg|body-bg"))
  const theme = colorIn(metaOf(document, "theme-color") ?? "") ?? undefined
  const vivid = vividColors(styles)
  const button = styles.color(isButton, "background-color", "background")
  const isBrand = (color: string | undefined) => (color && isVivid(color) ? color : undefined)
  const primary =
    styles.property(role("primary|brand")) ?? isBrand(button) ?? isBrand(theme) ?? vivid[0]
  const others = vivid.filter((color) => color !== primary)
  return definedOnly({
    primary,
    secondary: styles.property(role("secondary")) ?? others[0],
    accent: styles.property(role("accent|highlight")) ?? others[1],
    background,
    textPrimary:
      styles.color(isBody, "color") ??
      styles.property(role("text|foreground|text-primary|body-color")),
    textSecondary: styles.property(role("text-secondary|text-muted|muted|muted-foreground")),
    link: styles.color(isLink, "color") ?? styles.property(role("link")),
    success: styles.property(role("success")),
    warning: styles.property(role("warning")),
    error: styles.property(role("error|danger")),
  })
}

const colored = /^(?:color|background|background-color|border-color|fill)$/

/** Colours that are not grey, the most used first. */
function vividColors({ rules, properties }: Styles): string[] {
  const uses = new Map<string, number>()
  for (const { declarations } of rules) {
    for (const [name, written] of declarations) {
      if (!colored.test(name)) continue
      const color = colorIn(resolved(written, properties) ?? "")
      if (color && isVivid(color)) uses.set(color, (uses.get(color) ?? 0) + 1)
    }
  }
  return [...uses].sort((a, b) => b[1] - a[1]).map(([color]) => color)
}

function schemeOf(declared: string | undefined, background: string | undefined) {
  if (background) return isDark(background) ? "dark" : "light"
  const [first] = /\b(?:dark|light)\b/i.exec(declared ?? "") ?? []
  return (first?.toLowerCase() as "dark" | "light" | undefined) ?? null
}

const generic =
  /^(?:serif|sans-serif|monospace|cursive|fantasy|system-ui|ui-[\w-]+|math|emoji|inherit|initial|unset|-apple-system|blinkmacsystemfont|var\(.*|.*\bemoji|.*\bsymbol)$/i

/** The first family of a value that is a font, for example "Inter" of `600 1rem/1.5 "Inter", sans-serif`. */
function familyOf(value: string | undefined): string | undefined {
  for (const part of (value ?? "").slice(0, 500).split(",")) {
    const name = part
      .replace(/^.*?(?:[\d.]+(?:px|r?em|%|pt|vw)(?:\/[\d.]+\w*)?)\s+/i, "")
      .replace(/["']/g, "")
      .trim()
    if (name !== "" && name.length <= 80 && !generic.test(name)) return name
  }
  return undefined
}

function fontsOf(styles: Styles, document: Document): string[] {
  const uses = new Map<string, number>()
  const count = (name: string | undefined, more: number) => {
    if (name) uses.set(name, (uses.get(name) ?? 0) + more)
  }
  for (const { selectors, declarations } of styles.rules) {
    if (selectors.includes("@font-face")) continue
    const written = declarations.get("font-family") ?? declarations.get("font")
    const weight = selectors.some(isBody) ? 100 : selectors.some(isHeading) ? 20 : 1
    if (written) count(familyOf(resolved(written, styles.properties)), weight)
  }
  for (const link of [...document.querySelectorAll("link[href]")].slice(0, maxInline)) {
    const url = URL.parse(link.getAttribute("href") ?? "", "https://invalid.invalid")
    if (url?.hostname !== "fonts.googleapis.com") continue
    for (const family of url.searchParams.getAll("family")) {
      for (const one of family.split("|")) count(one.split(":")[0]!.trim(), 1)
    }
  }
  return [...uses]
    .sort((a, b) => b[1] - a[1])
    .slice(0, maxFonts)
    .map(([name]) => name)
}

function metaOf(document: Document, name: string): string | undefined {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute("content") ?? undefined
}

function definedOnly(values: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
