import { mainContent } from "../../../extract/article/index.ts"
import { blockText, countWords } from "../../../extract/core/index.ts"
import {
  assertScrapeError,
  type Context,
  type PageOptions,
  type RenderedResponse,
  type UpstreamResponse,
} from "../../kit/index.ts"

/** Words of a page below which Chrome loads it, because its scripts may add the rest. */
const scantWords = 20
/** Maximum milliseconds to wait for that content. A page with so few words is usually complete. */
const fillMs = 3000

/**
 * Returns a page as Chrome loads it, if plain HTTP returns almost no text and the page has scripts.
 * Returns the given page if Chrome is missing or fails.
 */
export async function withScripts(response: RenderedResponse, ctx: Context, options: PageOptions) {
  if (options.scripted || !isScant(response)) return response
  ctx.log("The page has almost no text without its scripts. Trying Chrome.")
  try {
    const has = (visible: UpstreamResponse) => wordsOf(visible) >= scantWords
    return await ctx.page(response.url, { ...options, has, pageWaitMs: fillMs, scripted: true })
  } catch (error) {
    assertScrapeError(error, ctx)
    return response
  }
}

function isScant(response: UpstreamResponse): boolean {
  const { document, via, file } = response
  if (via === "browser" || file || !/html/.test(response.contentType)) return false
  if (
    document.querySelector("script:not([type]), script[type*=javascript], script[type=module]") ===
    null
  ) {
    return false
  }
  return wordsOf(response) < scantWords
}

const wordsOf = ({ document, url }: UpstreamResponse) =>
  countWords(blockText(mainContent(document, url).root))
