import { completeUrl } from "../../extract/links/index.ts"

/** An invalid pattern; the message contains the reason. */
export class PatternError extends Error {}

const maxStars = 10

/** The URLs that a recipe accepts. */
export interface UrlPattern {
  fits(url: string): boolean
  /** A URL that matches. */
  example: string
}

/**
 * Parses a pattern such as `shop.example/products/*`: a host, optionally with `*.` for all
 * subdomains or `*` for all hosts, and a path in which `*` matches anything. `www.` is ignored. A
 * query is compared only if the pattern has one.
 * @throws PatternError
 */
export function urlPattern(written: string): UrlPattern {
  const plainText = written.trim().replace(/^https?:\/\//i, "")
  const [, host, path = "/*"] = /^([^/?#]+)(.*\S)?$/.exec(plainText) ?? []
  if (host === undefined) throw new PatternError("it has no host")
  if (path.includes("#")) throw new PatternError("a fragment (#…) is never sent to a site")
  if (path.split("*").length - 1 > maxStars) throw new PatternError(`it has over ${maxStars} *`)
  const plain = host === "*" ? "example.com" : hostOf(host.replace(/^\*\./, ""))
  const href = parsed(`https://${plain}${path}`)
  const hasQuery = path.includes("?")
  const wanted = hasQuery ? href.pathname + href.search : withoutSlash(href.pathname)
  const parts = wanted.split("*")
  return {
    fits(url) {
      const whole = completeUrl(url)
      if (whole === null) return false
      const { host: provided, pathname, search } = new URL(whole)
      const isOfHost =
        host === "*" ||
        withoutWww(provided) === plain ||
        (host.startsWith("*.") && provided.endsWith(`.${plain}`))
      if (!isOfHost) return false
      return fitsParts(hasQuery ? pathname + search : pathname, parts, hasQuery)
    },
    example: href.href.replaceAll("*", ""),
  }
}

/** @throws PatternError */
function hostOf(host: string): string {
  if (host.includes("*"))
    throw new PatternError('the host may have * only at its start, for example "*.example.com"')
  return withoutWww(parsed(`https://${host}/`).host)
}

/** @throws PatternError */
function parsed(url: string): URL {
  if (!URL.canParse(url)) throw new PatternError("it must be a host and a path")
  return new URL(url)
}

const withoutWww = (host: string) => host.replace(/^www\./, "")
const withoutSlash = (path: string) => path.replace(/\/$/, "")

/** Matches the parts in one pass over the text, so that the time is bounded. */
function fitsParts(text: string, parts: string[], isExact: boolean): boolean {
  const [first = "", ...rest] = parts
  const end = rest.pop()
  if (end === undefined) return text === first || (!isExact && withoutSlash(text) === first)
  // `folder/*` also matches the folder itself.
  if (!text.startsWith(first)) return `${text}/` === first && end === "" && rest.length === 0
  let at = first.length
  for (const part of rest) {
    const start = text.indexOf(part, at)
    if (start < 0) return false
    at = start + part.length
  }
  if (text.length - end.length >= at && text.endsWith(end)) return true
  const plain = withoutSlash(text)
  return !isExact && plain.length - end.length >= at && plain.endsWith(end)
}
