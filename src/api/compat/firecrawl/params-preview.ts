import { completeUrl } from "../../../extract/links/index.ts"
import { ApiError } from "../../http/errors.ts"
import type { AccessParts, ClientParts } from "../../service-parts.ts"
import { accountOf } from "../common/account-run.ts"
import { bodyOf } from "../common/body.ts"
import type { Work } from "../common/refusal.ts"
import { textOf } from "./calls.ts"
import type { Json } from "./options.ts"

export const maxPromptCharacters = 10_000

/** Reads the crawl options of a prompt without a model: paths, numbers and common phrases. */
export function paramsPreview(service: ClientParts & AccessParts): Work {
  return async (call) => {
    await accountOf(service, call)
    const body = await bodyOf(call)
    const url = completeUrl(textOf(body, "url"))
    if (url === null) throw new ApiError(400, '"url" must be an http or https URL.')
    const prompt = textOf(body, "prompt")
    if (prompt.length > maxPromptCharacters) {
      throw new ApiError(400, `"prompt" must have at most ${maxPromptCharacters} characters.`)
    }
    const options = crawlOptionsIn(prompt)
    const warning =
      Object.keys(options).length > 0
        ? "These options were read from paths, numbers and phrases in the prompt. Check them before you crawl."
        : 'The prompt contains no path, number or known phrase. Write, for example, "only /blog, 50 pages".'
    return { success: true, warning, data: { url, ...options } }
  }
}

/** Paths of common site sections, by the words that people use for them. */
const sections: Record<string, string> = {
  blog: "blog",
  news: "news",
  docs: "docs?",
  documentation: "docs?|documentation",
  product: "products?",
  article: "articles?",
  job: "jobs?|careers?",
  career: "careers?|jobs?",
  help: "help|support",
  support: "support|help",
  pricing: "pricing",
  event: "events?",
  guide: "guides?",
  tutorial: "tutorials?",
  forum: "forums?",
  shop: "shop|store",
  changelog: "changelog|releases?",
}

const excluding = /\b(?:except|excluding|exclude|ignore|skip|without|not|avoid|leave out)\b/i

export function crawlOptionsIn(prompt: string): Json {
  const includePaths: string[] = []
  const excludePaths: string[] = []
  // An excluding clause ends at the next clause of another kind.
  for (const clause of prompt.split(/[.;\n]|,?\s\b(?:but|and only)\b/i)) {
    const at = excluding.exec(clause)?.index ?? clause.length
    includePaths.push(...pathsIn(clause.slice(0, at)))
    excludePaths.push(...pathsIn(clause.slice(at)))
  }
  const pages =
    /\b(\d{1,5})\s+(?:web\s?)?pages?\b|\blimit(?:ed)?(?:\s+(?:of|to|is))?\s+(\d{1,5})\b/i
  const [, first, second] = pages.exec(prompt) ?? []
  const limit = Number(first ?? second)
  const [, levels, depth] =
    /\b(\d{1,2})\s+levels?\b|\bdepth(?:\s+(?:of|to|is))?\s+(\d{1,2})\b/i.exec(prompt) ?? []
  const maxDiscoveryDepth = Number(levels ?? depth)
  const mentions = (pattern: RegExp) => pattern.test(prompt)
  return {
    ...(includePaths.length > 0 && { includePaths: [...new Set(includePaths)] }),
    ...(excludePaths.length > 0 && { excludePaths: [...new Set(excludePaths)] }),
    ...(limit > 0 && { limit }),
    ...(maxDiscoveryDepth > 0 && { maxDiscoveryDepth }),
    ...(mentions(/\bsub-?domains?\b/i) && {
      allowSubdomains: !mentions(
        /\b(?:no|without|not|ignore|exclude)\s+(?:\w+\s+)?sub-?domains?\b/i,
      ),
    }),
    ...(mentions(/\bexternal\s+(?:links?|sites?)\b/i) && {
      allowExternalLinks: !mentions(/\b(?:no|without|not|ignore|exclude)\s+(?:\w+\s+)?external\b/i),
    }),
    ...(mentions(/\b(?:entire|whole|full)\s+(?:site|website|domain)\b/i) && {
      crawlEntireDomain: true,
    }),
    ...(mentions(/\bonly\b[^.]*\bsitemap\b|\bsitemap\s+only\b/i) && { sitemap: "only" }),
    ...(mentions(/\bquery\s+(?:parameters?|strings?)\b/i) && { ignoreQueryParameters: true }),
  }
}

/** Regular expressions of the paths in a text, for example `/blog` or "blog posts". */
function pathsIn(text: string): string[] {
  const written = [
    ...text.matchAll(/(?:^|[\s"'(`])\/([\w-]+(?:\/[\w-]+)*)\/?(?:\*+)?(?=[\s"'),.`]|$)/g),
  ]
  const literal = written.map(([, path]) => `^/${path}(?:/|$)`)
  if (literal.length > 0) return literal
  const words = new Set(text.toLowerCase().match(/[a-z]+/g) ?? [])
  const named = Object.entries(sections).filter(
    ([word]) => words.has(word) || words.has(`${word}s`),
  )
  return named.map(([, pattern]) => `^/(?:${pattern})(?:/|$)`)
}
