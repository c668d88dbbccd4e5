import { BoundedMap } from "../../../base/bounded-map.ts"
import { PatternError, pattern } from "../../../extract/links/index.ts"
import { inputs, namingInput, provided } from "../../kit/index.ts"

const maxPatterns = 50
/** Maximum URLs whose result is stored. Consecutive pages often have the same links. */
const remembered = 10_000

const patterns = (description: string) =>
  provided(inputs.texts(description, { min: 0, max: maxPatterns }), [])

/** The rules for the URLs that a crawl follows. */
export const pathInputs = {
  urlPattern: inputs.optionalText(
    "Text that the URL of a linked page must contain, for example /blog/",
  ),
  includePaths: patterns(
    "Regular expressions; the path of a linked page must match one of them, for example ^/blog/.*",
  ),
  excludePaths: patterns("Regular expressions of paths to skip, for example ^/tag/"),
  matchWholeUrl: inputs.flag("Match includePaths and excludePaths against the whole URL."),
  ignoreQuery: inputs.flag("Treat URLs that differ only in their query as one page."),
}

interface PathOptions {
  urlPattern?: string | undefined
  includePaths: string[]
  excludePaths: string[]
  matchWholeUrl: boolean
}

/**
 * Returns a function that tests whether a discovered URL belongs to the crawl. Throws BadInput with
 * the name of an invalid pattern.
 */
export function pathRule(requested: PathOptions): (url: string) => boolean {
  const { urlPattern = "", matchWholeUrl } = requested
  const included = read("includePaths", requested.includePaths)
  const excluded = read("excludePaths", requested.excludePaths)
  const known = new BoundedMap<string, boolean>(remembered)
  const checked = (url: string) => {
    const text = matchWholeUrl ? url : new URL(url).pathname
    const holds = (one: (text: string) => boolean) => one(text)
    return (included.length === 0 || included.some(holds)) && !excluded.some(holds)
  }
  if (included.length + excluded.length === 0) return (url) => url.includes(urlPattern)
  return (url) => {
    if (!url.includes(urlPattern)) return false
    const before = known.get(url)
    if (before !== undefined) return before
    const is = checked(url)
    known.set(url, is)
    return is
  }
}

function read(field: string, written: readonly string[]) {
  return written.map((one, index) =>
    namingInput(`${field}[${index}]`, () => pattern(one), PatternError),
  )
}
