import { mainContent } from "../../../extract/article/index.ts"
import { blockText, countWords } from "../../../extract/core/index.ts"
import type { Answer, Context, PageOptions, RenderedAnswer } from "../context.ts"
import { Outcome } from "../outcome.ts"

/** A page that says less than this may have the rest brought by its scripts. */
const scantWords = 20
/** Maximum wait for them: most pages that say as little are whole. */
const fillMs = 3000

/**
 * A page as Chrome shows it, where plain HTTP gives next to nothing of it and it has scripts; as it is
 * where Chrome is not there or fails.
 */
export async function withScripts(
  answer: RenderedAnswer,
  ctx: Context,
  options: PageOptions,
): Promise<RenderedAnswer> {
  if (options.scripted || !isScant(answer)) return answer
  ctx.log("The page says next to nothing without its scripts. Trying Chrome.")
  try {
    const has = (shown: Answer) => wordsOf(shown) >= scantWords
    return await ctx.page(answer.url, { ...options, has, pageWaitMs: fillMs, scripted: true })
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof Outcome)) throw error
    return answer
  }
}

function isScant(answer: Answer): boolean {
  const { document, via, file } = answer
  if (via === "browser" || file || !/html/.test(answer.contentType)) return false
  if (
    document.querySelector("script:not([type]), script[type*=javascript], script[type=module]") ===
    null
  ) {
    return false
  }
  return wordsOf(answer) < scantWords
}

const wordsOf = ({ document, url }: Answer) =>
  countWords(blockText(mainContent(document, url).root))
