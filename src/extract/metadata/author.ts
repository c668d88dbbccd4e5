import { likelyTypes, type PageType } from "../article/index.ts"
import { factOf } from "../core/index.ts"
import { authorCandidates } from "./candidates/author-features.ts"
import { chooseAuthors } from "./candidates/choose.ts"
import { readLines } from "./candidates/lines.ts"
import { readScorers } from "./candidates/scorer.ts"
import type { Author } from "./candidates/stated-authors.ts"
import { chancesOfNames, weighNames } from "./candidates/weighed-names.ts"
import type { PageSources } from "./page-sources.ts"

/** The page's authors: of all names on it those that trained models take for theirs. */
export function readAuthors(sources: PageSources, siteName: string | null): Author[] {
  return factOf(sources.document, readAuthors, () => {
    const candidates = authorCandidates(sources, linesOf(sources.document), siteName)
    const { author, name } = readScorers()
    const weighed = weighNames(candidates, author.chances(candidates))
    const chances = chancesOfNames(candidates, weighed, name.chances(weighed))
    const types = () => likelyTypes(sources.document, sources.pageUrl)
    const isThread = () => types()[0] === "forum"
    return chooseAuthors(candidates, chances, () => isWritten(types()), isThread)
  })
}

/** The lines of a page, read once for its authors and its date. */
export const linesOf = (document: Document) =>
  factOf(document, readLines, () => readLines(document.body))

/** Returns whether pages of all these types have an author: names on shops, lists and offers are others'. */
export const isWritten = (types: readonly PageType[]) =>
  types.every((type) => type === "article" || type === "forum")
