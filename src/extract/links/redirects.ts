import { absoluteUrl, baseUrl, textLines } from "../core/index.ts"

const redirectStatuses = new Set([301, 302, 303, 307, 308])
/** A refresh that waits longer is a page that reloads, not a redirect. */
const maxDelaySeconds = 5
/** A page with more text than this is not a redirect, whatever its scripts do. */
const stubTextChars = 200

export interface NextHop {
  type: "http" | "refresh-header" | "meta-refresh" | "javascript"
  /** As on the page. */
  raw: string
  /** Null if it is not an http(s) URL. */
  url: string | null
}

/** Returns whether a response with this status redirects by its `Location`. */
export function isRedirect(status: number): boolean {
  return redirectStatuses.has(status)
}

/** Returns the redirect of a response's status and headers; null if there is none. */
export function headerRedirect(status: number, headers: Headers, url: string): NextHop | null {
  if (isRedirect(status)) {
    const raw = firstLocation(headers.get("location") ?? "")
    return { type: "http", raw, url: raw === "" ? null : absoluteUrl(raw, url) }
  }
  const refresh = refreshIn(headers.get("refresh"))
  return refresh === null || status >= 400
    ? null
    : { type: "refresh-header", raw: refresh, url: absoluteUrl(refresh, url) }
}

/** Returns the redirect of a page: its meta refresh or its script. */
export function pageRedirect(document: Document, url: string): NextHop | null {
  for (const meta of document.querySelectorAll("meta[http-equiv=refresh i]")) {
    const raw = meta.closest("noscript") ? null : refreshIn(meta.getAttribute("content"))
    if (raw !== null) {
      return { type: "meta-refresh", raw, url: absoluteUrl(raw, baseUrl(document, url)) }
    }
  }
  const text = document.body ? textLines(document.body).join(" ") : ""
  if (text.length >= stubTextChars) return null
  for (const script of document.querySelectorAll("script:not([src])")) {
    const raw = scriptTarget(script.textContent ?? "")
    if (raw !== null) return { type: "javascript", raw, url: absoluteUrl(raw, url) }
  }
  return null
}

/** Two header lines come joined by a comma; the first counts. Bytes beyond ASCII are UTF-8. */
function firstLocation(header: string): string {
  const first = header.split(/,\s+(?=https?:|\/)/i)[0]!.trim()
  if (!/[\u0080-\u00ff]/.test(first) || /[\u0100-\uffff]/.test(first)) return first
  const bytes = Uint8Array.from(first, (sign) => sign.charCodeAt(0))
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return first
  }
}

/** The URL in `0; url=…`, in any letter case, with or without quotes. */
function refreshIn(content: string | null): string | null {
  const match = /^(\d+(?:\.\d*)?)\s*[;,]\s*(?:url\s*=\s*)?(.+)$/is.exec((content ?? "").trim())
  if (!match || Number(match[1]) > maxDelaySeconds) return null
  const quoted = /^(["'])(.*?)\1/s.exec(match[2]!)
  const url = (quoted?.[2] ?? match[2]!).trim()
  return url === "" ? null : url
}

/** Matches the text between quotes; each character matches in one way only. */
const textIn = (quote: string) => String.raw`((?:\\.|(?!${quote})[^\\\n\r])+)`

const assignment = new RegExp(
  [
    String.raw`(?:^|[^\w.])(?:(?:window|document|top|self|parent)\.)*location(?:\.href)?`,
    String.raw`\s*=\s*(["'])${textIn(String.raw`\1`)}\1`,
    String.raw`|location\.(?:replace|assign)\(\s*(["'])${textIn(String.raw`\3`)}\3`,
  ].join(""),
)

function scriptTarget(script: string): string | null {
  const match = assignment.exec(script)
  const url = match?.[2] ?? match?.[4]
  return (
    url
      ?.replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      .replace(/\\(.)/g, "$1") ?? null
  )
}
