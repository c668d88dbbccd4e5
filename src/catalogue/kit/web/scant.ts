import { mainContent } from "../../../extract/article/index.ts"
import { blockText, countWords } from "../../../extract/core/index.ts"
import type { Context, PageOptions, RenderedResponse, UpstreamResponse } from "../context.ts"
import { ScrapeError } from "../errors.ts"

/** Minimum words; a page with fewer may get the rest from its scripts. */
const scantWords = 20
/** Maximum wait for them: pages with as little text are usually complete. */
const fillMs = 3000

/**
 * Returns a page as Chrome shows it, if plain HTTP returns almost nothing of it and it has scripts.
 * Returns it as it is if there is no Chrome or Chrome fails.
 * @example const response = await withScripts(opened, ctx, options)
 */
export async function withScripts(
  response: RenderedResponse,
  ctx: Context,
  options: PageOptions,
): Promise<RenderedResponse> {
  if (options.scripted || !isScant(response)) return response
  ctx.log("The page says next to nothing without its scripts. Trying Chrome.")
  try {
    const has = (visible: UpstreamResponse) => wordsOf(visible) >= scantWords
    return await ctx.page(response.url, { ...options, has, pageWaitMs: fillMs, scripted: true })
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof ScrapeError)) throw error
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
