import { BoundedMap } from "../../../base/bounded-map.ts"
import { PatternError, pattern } from "../../../extract/links/index.ts"
import { type InputOf, inputs, namingInput, provided } from "../../kit/index.ts"

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

/**
 * Returns a function that tests whether a discovered URL belongs to the crawl. Throws BadInput with
 * the name of an invalid pattern.
 */
export function pathRule(
  requested: Omit<InputOf<typeof pathInputs>, "ignoreQuery">,
): (url: string) => boolean {
  const { urlPattern = "", matchWholeUrl } = requested
  const included = read("includePaths", requested.includePaths)
  const excluded = read("excludePaths", requested.excludePaths)
  const known = new BoundedMap<string, boolean>(remembered)
  const checked = (url: string) => {
    const text = matchWholeUrl ? url : new URL(url).pathname
    const matches = (one: (text: string) => boolean) => one(text)
    return (included.length === 0 || included.some(matches)) && !excluded.some(matches)
  }
  if (included.length + excluded.length === 0) return (url) => url.includes(urlPattern)
  return (url) => {
    if (!url.includes(urlPattern)) return false
    const admitted = known.get(url) ?? checked(url)
    known.set(url, admitted)
    return admitted
  }
}

function read(field: string, written: readonly string[]) {
  return written.map((one, index) =>
    namingInput(`${field}[${index}]`, () => pattern(one), PatternError),
  )
}
