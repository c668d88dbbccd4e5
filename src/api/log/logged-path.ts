/** Paths whose next segment is a secret, encoded or decoded. */
const secretPath = /^(\/api\/(?:agent\/claim|results|v1\/files)\/)[^/?]+/
/** Parameters with secrets. `input` is included because it may contain anything and is long. */
const secretNames = new Set(["token", "claim", "link", "signature", "input"])
const apiKey = /trawl_(?:live_)?[a-z0-9]{8,}/gi
const hidden = "…"
/** Maximum levels of nested encoding at which a key is still found. */
const maxEncodings = 3

/** The path of a URL, without its query. */
export function pathOf(url: string): string {
  // Without a valid Host, a request's URL is only its path.
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2)
  const end = url.indexOf("?", start)
  return start < 0 ? "/" : url.slice(start, end < 0 ? undefined : end)
}

/** A call's path and query for the log, without keys and tokens in any encoding. */
export function loggedPath(url: string): string {
  const path = pathOf(url)
  const query = url.indexOf("?")
  // Most calls have none; this check is cheaper than the search.
  const mayHold =
    query >= 0 || path.includes("%") || path.includes("trawl_") || path.startsWith("/api/")
  if (!mayHold) return path
  const visible = withoutKeys(path).replace(secretPath, `$1${hidden}`)
  return query < 0 ? visible : `${visible}?${loggedQuery(url.slice(query + 1))}`
}

function loggedQuery(query: string): string {
  return query
    .split("&")
    .map((part) => {
      const equals = part.indexOf("=")
      const name = equals < 0 ? part : part.slice(0, equals)
      const isSecret = secretNames.has(decoded(name).trim().toLowerCase())
      if (isSecret && equals >= 0) return `${withoutKeys(name)}=${hidden}`
      return withoutKeys(part)
    })
    .join("&")
}

/**
 * Returns the text unchanged if it contains no key; otherwise decoded, with a mark instead of the
 * key.
 */
function withoutKeys(text: string): string {
  const plain = decoded(text)
  const visible = plain.replace(apiKey, hidden)
  return visible === plain ? text : visible
}

function decoded(text: string): string {
  let plain = text
  for (let times = 0; times < maxEncodings && /[%+]/.test(plain); times++) {
    // Invalid encoding stays unchanged; the parts around it are decoded.
    plain = plain.replaceAll("+", " ").replace(/%[0-9a-f]{2}/gi, (hex) => {
      return String.fromCharCode(Number.parseInt(hex.slice(1), 16))
    })
  }
  return plain
}
