import {
  at,
  endOfString,
  findObjects,
  JsonReader,
  parseLoose,
} from "../../extract/embedded/index.ts"

type State = Record<string, unknown>

/** Maximum states of components on a page; pages have about 60. */
const maxStates = 300

/**
 * Returns a product from the states of the components of which pages consisted until 2025, under
 * the names of the data of later pages. It is empty if the page has no such states.
 */
export function componentProduct(document: Document, sku: string): JsonReader {
  const states = [...statesOf(document)]
  const withKey = (key: string, ...path: string[]): unknown => {
    const [match] = findObjects(states, (object) => at(object[key], ...path) !== undefined)
    return match?.[key]
  }
  const details = new JsonReader(withKey("componentData"))
  const prices = [...findObjects(states, isPriced)].map(
    ({ priceDomain, skuPriceDomain }) => priceDomain ?? skuPriceDomain,
  )
  // The data of the product's own price block may lack its ID.
  const domain =
    prices.find((price) => String(at(price, "skuId")) === sku) ??
    prices.find((price) => price !== null && at(price, "skuId") === undefined)
  const price =
    domain === undefined
      ? undefined
      : { customerPrice: at(domain, "currentPrice"), ...(domain as State) }
  const long = ["product-description", "description", "longDescription"] as const
  const paragraphs = details.list(...long, "parsedHtmlFragments")
  const questions = new JsonReader(withKey("questions", "results")).list("results")
  const groups = at(withKey("specifications", "categories"), "categories")
  const product = {
    price,
    description: { long: paragraphs.flatMap((part) => part.text("plainText") ?? []).join("\n\n") },
    features: at(details.root, "product-features", "features"),
    specificationGroups: groups,
    whatItIs: withKey("whatItIs", "0"),
    buyingOptions: withKey("buyingOptions", "0", "type"),
    questions: {
      results: questions.map((question) => ({
        title: question.text("questionTitle"),
        answers: question
          .list("answersForQuestion")
          .map((reply) => ({ text: reply.text("answerText") })),
      })),
    },
  }
  return new JsonReader(price !== undefined || groups !== undefined ? product : undefined)
}

const isPriced = (object: State) => "priceDomain" in object || "skuPriceDomain" in object

/** Yields the states: JSON scripts, and texts of JSON that scripts pass to their components. */
function* statesOf(document: Document): Generator<State> {
  let provided = 0
  for (const script of document.querySelectorAll("script")) {
    const text = script.textContent ?? ""
    const isData = script.getAttribute("type") === "application/json"
    for (const state of isData ? [parseLoose(text)] : passedStates(text)) {
      if (typeof state !== "object" || state === null) continue
      yield state as State
      if (++provided >= maxStates) return
    }
  }
}

const startOfState = '"{\\"'

function* passedStates(script: string): Generator<unknown> {
  for (let start = script.indexOf(startOfState); start >= 0; ) {
    const end = endOfString(script, start, '"')
    if (end < 0) return
    const text = parseLoose(script.slice(start, end + 1))
    if (typeof text === "string") yield parseLoose(text)
    start = script.indexOf(startOfState, end + 1)
  }
}
