import { beginning, tokensOf } from "../items/tokens.ts"
import type { PartRuns, RunError } from "./web-search.ts"

const reader = "url-to-markdown-scraper"

/** A page of a result as Markdown, or the reason why it could not be read. */
export interface ReadPage {
  markdown?: string
  /** The page has more text than `markdown`. */
  isShortened?: boolean
  error?: RunError
}

/**
 * Reads pages within a number of tokens for all of them. Each page has an equal share, and a short page
 * leaves the rest of its share to the others.
 */
export async function readPages(
  runs: PartRuns,
  urls: readonly string[],
  { maxTokens, endsAt }: { maxTokens: number; endsAt: number },
): Promise<Map<string, ReadPage>> {
  const pages = new Map<string, ReadPage>()
  if (urls.length === 0) return pages
  const part = { slug: reader, input: { urls: [...urls] } }
  const [result] = await runs.run([part], { endsAt })
  const texts = new Map<string, string>()
  for (const item of result?.items ?? []) {
    const url = String(item.url ?? item.input)
    const status = Number(item.statusCode ?? 200)
    const message = `The page has the status ${status}.`
    if (item.error) pages.set(url, { error: item.error as RunError })
    else if (status >= 400)
      pages.set(url, {
        error: { code: status === 404 || status === 410 ? "not_found" : "upstream_error", message },
      })
    else texts.set(url, String(item.markdown ?? ""))
  }
  for (const [url, page] of shared(texts, maxTokens)) pages.set(url, page)
  const message = result?.error?.message ?? "The page was not read in time."
  const error = { code: result?.error?.code ?? "timeout", message }
  for (const url of urls) if (!pages.has(url)) pages.set(url, { error })
  return pages
}

function shared(texts: ReadonlyMap<string, string>, maxTokens: number): Map<string, ReadPage> {
  const bySize = [...texts]
    .map(([url, markdown]) => ({ url, markdown, tokens: tokensOf(markdown) }))
    .sort((a, b) => a.tokens - b.tokens)
  const pages = new Map<string, ReadPage>()
  let left = Math.max(0, maxTokens)
  for (const [index, { url, markdown, tokens }] of bySize.entries()) {
    const share = Math.floor(left / (bySize.length - index))
    const text = tokens <= share ? markdown : share > 0 ? beginning(markdown, share) : ""
    pages.set(url, { markdown: text, ...(text.length < markdown.length && { isShortened: true }) })
    left -= Math.min(tokens, share)
  }
  return pages
}
