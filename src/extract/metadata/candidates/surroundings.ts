import { lowerWords } from "../../core/index.ts"
import { nameMeaning } from "./element-names.ts"
import type { ElementContext, PageLines } from "./lines.ts"

/** Features of the text and elements around a candidate. */

const tags = "nav footer header aside figure li article main blockquote td a p time h1".split(" ")
const lesserHeadings = ["h2", "h3", "h4"]
/** A bit for each tag; the lesser headings share one. */
const tagBits = new Map<string, number>([
  ...tags.map((tag, bit): [string, number] => [tag, 1 << bit]),
  ...lesserHeadings.map((tag): [string, number] => [tag, 1 << tags.length]),
])

export const surroundingFeatureNames = [
  ...tags.map((tag) => `in ${tag}`),
  "in lesser heading",
  "among others",
  "in comments",
  "aside",
  "depth",
  "after heading",
  "heading distance",
  "place on page",
  "headings between",
  "prose between",
  "alike",
  "first alike",
  "line length",
  "parts of line",
  "prose near",
]

/** Maximum number of levels up to a class name that still describes an element's content. */
const nearLevels = 5
const maxLevels = 20

/** Returns how near the first element with such a name is: 1 for the element itself, 0 for none. */
export function statedNear(context: ElementContext, bit: number): number {
  let at: ElementContext | null = context
  for (let up = 0; at && up < nearLevels; up++, at = at.parent) {
    if ((at.meanings & bit) !== 0) return 1 / (1 + up)
  }
  return 0
}

/** The words that name an element, its parent and grandparent, and those further out. */
export function wordsAround(context: ElementContext): {
  inner: string[]
  outer: readonly string[]
} {
  const inner = new Set<string>()
  let at: ElementContext | null = context
  for (let up = 0; at && up < 3; up++, at = at.parent) {
    inner.add(`<${at.tag}`)
    for (const word of at.words) inner.add(word)
  }
  return { inner: [...inner], outer: at?.wordsOutwards ?? [] }
}

const wordsIn = lowerWords(/[\p{L}\p{M}]+|[|•·:,–—-]/gu, /[a-z]+|[|:,-]/g)

export const wordsOfText = (text: string): string[] => wordsIn(text.slice(0, 200))

/** The positions of candidates, and the number of positions of the same form. */
export class Surroundings {
  private readonly counts = new Map<number, Set<string>>()
  private readonly first = new Map<number, number>()

  constructor(
    private readonly page: PageLines,
    /** The line of the page's main heading, -1 for none. */
    private readonly heading: number,
  ) {}

  /** All candidates are noted before any is described. */
  note(key: string, line: number, { path }: ElementContext): void {
    const keys = this.counts.get(path)
    if (keys) keys.add(key)
    else {
      this.counts.set(path, new Set([key]))
      this.first.set(path, line)
    }
  }

  isFirstAlike(line: number, { path }: ElementContext): boolean {
    return this.first.get(path) === line
  }

  features(line: number, context: ElementContext): number[] {
    const { page, heading } = this
    const { lines } = page
    let [around, stated] = [0, 0]
    let at: ElementContext | null = context
    for (let up = 0; at && up < maxLevels && at.tag !== "body"; up++, at = at.parent) {
      around |= tagBits.get(at.tag) ?? 0
      stated |= at.meanings
    }
    const distance = heading < 0 ? 99 : line - heading
    const between = (sums: Uint16Array) =>
      heading < 0 ? -1 : Math.abs((sums[line] ?? 0) - (sums[heading] ?? 0))
    return [
      ...tags.map((_, bit) => (around >> bit) & 1),
      (around >> tags.length) & 1,
      stated & nameMeaning.otherArticles ? 1 : 0,
      stated & nameMeaning.comments ? 1 : 0,
      stated & nameMeaning.aside ? 1 : 0,
      context.depth,
      heading < 0 ? -1 : distance >= 0 ? 1 : 0,
      Math.sign(distance) * Math.log1p(Math.abs(distance)),
      line / Math.max(1, lines.length),
      between(page.headings),
      between(page.prose),
      this.counts.get(context.path)?.size ?? 1,
      this.isFirstAlike(line, context) ? 1 : 0,
      lines[line]?.text.length ?? 0,
      lines[line]?.parts.length ?? 0,
      (page.prose[Math.min(line + 2, lines.length - 1)] ?? 0) - (page.prose[line - 3] ?? 0),
    ]
  }
}
