import { Type } from "@sinclair/typebox"
import { BoundedMap } from "../../../base/bounded-map.ts"
import { PatternError, pattern } from "../../../extract/links/index.ts"
import { BadInput, inputs, provided } from "../../kit/index.ts"

const maxPatterns = 50
/** Addresses of which it is known; a page links to the same ones as the page before. */
const remembered = 10_000

const patterns = (description: string) =>
  provided(inputs.texts(description, { min: 0, max: maxPatterns }), [])

/** Which of the found addresses a crawl follows. */
export const pathInputs = {
  urlPattern: Type.Optional(
    Type.String({ description: "Text that the URL of a linked page must contain." }),
  ),
  includePaths: patterns(
    "Regular expressions of which the path of a linked page must match one, for example ^/blog/.*",
  ),
  excludePaths: patterns("Regular expressions of paths to leave out."),
  matchWholeUrl: inputs.flag("Match includePaths and excludePaths against the whole URL."),
  ignoreQuery: inputs.flag("Treat URLs that differ only in their query as one page."),
}

interface PathOptions {
  urlPattern?: string | undefined
  includePaths: string[]
  excludePaths: string[]
  matchWholeUrl: boolean
}

/** Whether an address that was found is of the crawl. @throws BadInput naming the pattern */
export function pathRule(requested: PathOptions): (url: string) => boolean {
  const { urlPattern = "", matchWholeUrl } = requested
  const included = read("includePaths", requested.includePaths)
  const excluded = read("excludePaths", requested.excludePaths)
  const known = new BoundedMap<string, boolean>(remembered)
  const judged = (url: string) => {
    const text = matchWholeUrl ? url : new URL(url).pathname
    const holds = (one: (text: string) => boolean) => one(text)
    return (included.length === 0 || included.some(holds)) && !excluded.some(holds)
  }
  if (included.length + excluded.length === 0) return (url) => url.includes(urlPattern)
  return (url) => {
    if (!url.includes(urlPattern)) return false
    const before = known.get(url)
    if (before !== undefined) return before
    const is = judged(url)
    known.set(url, is)
    return is
  }
}

function read(field: string, written: readonly string[]) {
  return written.map((one, index) => {
    try {
      return pattern(one)
    } catch (error) {
      if (error instanceof PatternError) throw new BadInput(`${field}[${index}]: ${error.message}`)
      throw error
    }
  })
}
