import {
  type AnyScraper,
  Blocked,
  Changed,
  type ScrapeError,
  StaleKey,
} from "../../../catalogue/kit/index.ts"

/**
 * Responsibility for an error: the scraper's (the site has changed), the site's (it refuses or
 * fails), the network's, missing setup by the operator, or the user's: a correct response about the
 * requested data.
 */
export type CodeClass = "ours" | "theirs" | "network" | "needs" | "callers"

/** Codes that are not listed are the user's. */
const classes: Record<Exclude<CodeClass, "callers">, readonly string[]> = {
  ours: [
    "app_shell",
    "outdated_site_constant",
    "parse_error",
    "layout_changed",
    "schema",
    "http_error",
    "unsupported_content",
    "crashed",
  ],
  theirs: ["blocked", "forbidden", "robots_disallowed", "rate_limited", "upstream_error"],
  network: [
    "timeout",
    "dns",
    "connection",
    "tls",
    "browser_crashed",
    "aborted",
    "egress_denied",
    "screenshot_timeout",
    "screenshot_failed",
    "file_not_kept",
    "too_many_open_files",
  ],
  needs: ["missing_credentials", "login_required", "geo_blocked", "browser_unavailable"],
}
const byCode = new Map(
  Object.entries(classes).flatMap(([name, codes]) =>
    codes.map((code) => [code, name as CodeClass]),
  ),
)

export function classOf(code: string): CodeClass {
  return byCode.get(code) ?? "callers"
}

/**
 * Returns the key of a code in counts: `ours:outdated_site_constant/x.SearchTimeline`,
 * `theirs:blocked/Cloudflare`.
 */
export function countedAs(code: string, detail: string | null = null): string {
  return `${classOf(code)}:${code}${detail === null ? "" : `/${detail}`}`
}

export interface CountedCode {
  class: CodeClass
  code: string
  /** Vendor of a challenge, table and key of an outdated constant, or name of a missing field. */
  detail: string | null
}

export function readCounted(counted: string): CountedCode {
  const [, kind, code, detail] = /^([a-z]+):([^/]+)(?:\/(.*))?$/s.exec(counted) ?? []
  return { class: (kind ?? "callers") as CodeClass, code: code ?? counted, detail: detail ?? null }
}

export function detailOf(failure: ScrapeError): string | null {
  if (failure instanceof Blocked) return failure.vendor
  if (failure instanceof StaleKey) return `${failure.site}.${failure.key}`
  return failure instanceof Changed ? failure.field : null
}

/** Returns whether users choose its hosts: failures there concern their pages, not the scraper. */
export function acceptsAnyHost({ rateLimit = {} }: Pick<AnyScraper, "rateLimit">): boolean {
  return Object.keys(rateLimit).every((host) => host === "*")
}
