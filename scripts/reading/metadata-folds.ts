import type { PageType } from "../../src/extract/article/index.ts"
import { isWritten } from "../../src/extract/metadata/author.ts"
import { chooseAuthors, chooseDate } from "../../src/extract/metadata/candidates/choose.ts"
import { chancesOfNames, weighNames } from "../../src/extract/metadata/candidates/weighed-names.ts"
import type { Learned } from "./candidates.ts"
import { authorPages, chancesBy, datePages, learnAuthors, learnDates } from "./learn-metadata.ts"
import { type MetadataPage, readMetadataPages } from "./metadata-pages.ts"
import { folds } from "./pages.ts"

interface Read {
  author: string | null
  publishedAt: string | null
  title: null
}

type Judge = Record<"author" | "date", (wanted: string, read: Read) => boolean>

/**
 * Returns the figures of authors and dates by a five-fold cross-validation by site, a line for each set.
 * `types` are the likely page types for pages outside of the training set.
 */
export function metadataFolds(
  root: string,
  judge: Judge,
  types: ReadonlyMap<string, readonly PageType[]>,
): string[] {
  const counts = new Map<string, [right: number, all: number]>()
  const count = (what: string, isRight: boolean) => {
    const [right, all] = counts.get(what) ?? [0, 0]
    counts.set(what, [right + (isRight ? 1 : 0), all + 1])
  }
  const pages = [...readMetadataPages(root)]
  for (let fold = 0; fold < folds; fold++) {
    const known = pages.filter((page) => page.fold !== fold)
    const authors = learnAuthors(authorPages(known))
    const dates = learnDates(datePages(known))
    for (const page of pages.filter((one) => one.fold === fold)) {
      const read = readPage(page, authors, dates, types.get(page.url) ?? [])
      const { set, author, date } = page
      if (author) count(`${set} author`, judge.author(author, read))
      else if (author === null) count(`${set} no author`, read.author === null)
      if (date) count(`${set} date`, judge.date(date, read))
    }
  }
  return [...counts].map(
    ([what, [right, all]]) => `${what} ${(right / all).toFixed(3)} (${right} of ${all})`,
  )
}

function readPage(
  page: MetadataPage,
  { author, name }: ReturnType<typeof learnAuthors>,
  dates: Learned,
  types: readonly PageType[],
): Read {
  const weighed = weighNames(page.authors, chancesBy(page.authors, author))
  const chances = chancesOfNames(page.authors, weighed, chancesBy(weighed, name))
  const isThread = () => types[0] === "forum"
  const authors = chooseAuthors(page.authors, chances, () => isWritten(types), isThread)
  return {
    author: authors.length > 0 ? authors.map((one) => one.name).join(", ") : null,
    publishedAt: chooseDate(page.dates, chancesBy(page.dates, dates)),
    title: null,
  }
}
