import { elementsNamed, htmlToText } from "../core/index.ts"
import { findObjects } from "../embedded/index.ts"
import { isNode, isOfType, readJsonLd } from "../structured/index.ts"

/** A step is recognised by its beginning. */
const knownChars = 60
/** From this share of missing steps on an article is incomplete; chosen by hand. */
const missingShare = 0.25
const longestPageChars = 1_000_000

/** Letters and digits of a text, by which it is recognised however it is formatted. */
const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** The ingredients and steps in a page's structured data, when it is a recipe or guide. */
export class StatedSteps {
  private readonly steps: string[]

  constructor(document: Document) {
    this.steps = statedTexts(document)
      .map((text) => bare(htmlToText(text) ?? ""))
      .filter((step) => step !== "")
  }

  /** Whether a text is one of them, or a part of one. */
  includes(text: string): boolean {
    const part = bare(text)
    return part !== "" && this.steps.some((step) => step.includes(part))
  }

  /**
   * The smallest element of a page that holds an article and the steps, where the article lacks many
   * of those that are on the page; null where it has them.
   */
  holder(article: string, page: Element): Element | null {
    if (this.steps.length === 0 || page.textContent!.length > longestPageChars) return null
    const pageText = bare(page.textContent!)
    const articleText = bare(article)
    const onPage = this.steps
      .map((step) => step.slice(0, knownChars))
      .filter((step) => pageText.includes(step))
    const missing = onPage.filter((step) => !articleText.includes(step))
    if (missing.length === 0 || missing.length < onPage.length * missingShare) return null
    return smallestWith([...onPage, articleText.slice(0, knownChars)], page)
  }
}

function smallestWith(wanted: string[], page: Element): Element {
  const holds = (element: Element) => {
    const text = bare(element.textContent!)
    return wanted.every((step) => text.includes(step))
  }
  let holder = page
  for (let inner: Element | undefined = page; inner; inner = [...inner.children].find(holds)) {
    holder = inner
  }
  return holder
}

function statedTexts(document: Document): string[] {
  const isStated = elementsNamed(document, "script").some(
    (script) =>
      script.getAttribute("type")?.includes("ld+json") &&
      /"(?:Recipe|HowTo)"/.test(script.textContent!),
  )
  if (!isStated) return []
  const roots = readJsonLd(document).entities.map((entity) => entity.data)
  const [guide] = findObjects(roots, (node) => isOfType(node, "Recipe", "HowTo"))
  if (!guide) return []
  return [guide.recipeIngredient, guide.recipeInstructions, guide.step].flatMap(texts)
}

/** The texts of a list of steps, also in sections. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value]
  if (Array.isArray(value)) return value.flatMap(texts)
  if (!isNode(value)) return []
  return texts(value.text ?? value.itemListElement ?? [])
}
