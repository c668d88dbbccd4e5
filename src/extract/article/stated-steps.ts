import { elementsNamed, htmlToText } from "../core/index.ts"
import { findObjects } from "../embedded/index.ts"
import { isNode, isOfType, readJsonLd } from "../structured/index.ts"

/** Each block of a page is looked for in them. */
const maxStepsChars = 50_000

/** Letters and digits of a text, by which it is recognised however it is formatted. */
const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** The ingredients and steps in a page's structured data, when it is a recipe or guide. */
export class StatedSteps {
  private readonly steps: string[]

  constructor(document: Document) {
    this.steps = []
    let length = 0
    for (const text of statedTexts(document)) {
      const step = plain(htmlToText(text) ?? "")
      length += step.length
      if (length > maxStepsChars) break
      if (step !== "") this.steps.push(step)
    }
  }

  /** Returns whether a text is one of them, or a part of one. */
  includes(text: string): boolean {
    if (this.steps.length === 0) return false
    const part = plain(text)
    return part !== "" && this.steps.some((step) => step.includes(part))
  }
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
