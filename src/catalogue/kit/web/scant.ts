import { mainContent } from "../../../extract/article/index.ts"
import { blockText, countWords } from "../../../extract/core/index.ts"
import type { Context, PageOptions, RenderedResponse, UpstreamResponse } from "../context.ts"
import { ScrapeError } from "../errors.ts"

/** A page that says less than this may have the rest brought by its scripts. */
const scantWords = 20
/** Maximum wait for them: most pages that say as little are whole. */
const fillMs = 3000

/**
 * A page as Chrome shows it, where plain HTTP gives next to nothing of it and it has scripts; as it is
 * where Chrome is not there or fails.
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
