import { Blocked, Changed, EmptyShell, type Outcome } from "../../catalogue/outcome.ts"

/** What the detector looks at. */
export interface Suspect {
  url: string
  status: number
  headers: Headers
  html: string
}

interface Sign {
  vendor: string
  /** Sure whatever the status; the others need a status of 400 or more, or a nearly empty page. */
  sure?: boolean
  test(page: Suspect): boolean
}

const inBody = (pattern: RegExp) => (page: Suspect) => pattern.test(page.html)
const inHeader = (name: string, pattern: RegExp) => (page: Suspect) =>
  pattern.test(page.headers.get(name) ?? "")

/** Signatures of bot walls, the surest first. */
const signs: Sign[] = [
  { vendor: "Cloudflare", sure: true, test: inHeader("cf-mitigated", /challenge/i) },
  {
    vendor: "Cloudflare",
    test: inBody(
      /<title>\s*(?:Just a moment\.\.\.|Please Wait\.\.\. \| Cloudflare|Attention Required! \| Cloudflare)|window\._cf_chl_opt|id="challenge-form"|\/cdn-cgi\/challenge-platform\//i,
    ),
  },
  { vendor: "DataDome", test: inBody(/captcha-delivery\.com|geo\.captcha-delivery|datadome/i) },
  {
    vendor: "HUMAN (PerimeterX)",
    test: inBody(/px-captcha|_pxCaptcha|Access to this page has been denied/i),
  },
  {
    vendor: "Imperva",
    test: inBody(/_Incapsula_Resource|Incapsula incident ID|Pardon Our Interruption/i),
  },
  {
    vendor: "Akamai",
    test: inBody(
      /<title>\s*Access Denied[\s\S]*Reference\s*(?:#|&#35;)|bm-verify|errors\.edgesuite\.net/i,
    ),
  },
  { vendor: "AWS WAF", test: inBody(/awswaf|aws-waf-token|gokuProps/i) },
  { vendor: "AWS WAF", sure: true, test: inHeader("x-amzn-waf-action", /challenge|captcha/i) },
  { vendor: "Kasada", test: inBody(/window\.KPSDK|ips\.js\?KP_UIDz/i) },
  {
    vendor: "Google",
    test: (page) =>
      /\/sorry\//.test(new URL(page.url).pathname) ||
      /Our systems have detected unusual traffic/i.test(page.html),
  },
  { vendor: "reCAPTCHA", test: inBody(/g-recaptcha|recaptcha\/api\.js/i) },
  { vendor: "hCaptcha", test: inBody(/hcaptcha\.com\/1\/api\.js|class="h-captcha/i) },
  {
    vendor: "unknown",
    test: inBody(/unusual traffic|verify (?:that )?you(?:'re| are) (?:a )?human|are you a robot/i),
  },
]

/** The visible text of a page, roughly: enough to tell a wall from a page. */
function roughText(html: string): string {
  return html
    .replace(/<(script|style|noscript|template|svg)\b[\s\S]*?<\/\1\s*>/gi, " ")
    .replace(/<!--[\s\S]*?-->/g, " ")
    .replace(/<title\b[\s\S]*?<\/title>/gi, " ")
    .replace(/<[^>]+>/g, " ")
    .replace(/&[a-z#0-9]+;/gi, " ")
    .replace(/\s+/g, " ")
    .trim()
}

/** Normal pages carry scripts of the walls too, so a page with text is none (C2). */
const wallTextLimit = 1500
const shellTextLimit = 200

/** The vendor of the wall that this page is; undefined when it is none. */
export function blockVendor(page: Suspect): string | undefined {
  let little: boolean | undefined
  for (const sign of signs) {
    if (!sign.test(page)) continue
    if (sign.sure || page.status >= 400) return sign.vendor
    little ??= roughText(page.html).length < wallTextLimit
    if (little) return sign.vendor
  }
}

/** Little text, and a root for scripts to fill. */
export function isEmptyShell(html: string): boolean {
  if (roughText(html).length >= shellTextLimit) return false
  return /<(?:div|main|section|app-root)[^>]*\bid=["']?(?:root|app|__next|__nuxt|___gatsby|svelte)|<app-root|enable JavaScript|<script\b[^>]*\bsrc=/i.test(
    html,
  )
}

/** What an answer without the data that it should hold is. */
export function judge(page: Suspect, what: string): Outcome {
  const details = { url: page.url, statusCode: page.status }
  const vendor = blockVendor(page)
  if (vendor) return blocked(vendor, details)
  if (isEmptyShell(page.html)) {
    return new EmptyShell(
      `The page is an empty shell that a script fills; it does not hold ${what}.`,
      details,
    )
  }
  return new Changed(`The answer does not hold ${what}; the upstream may have changed.`, details)
}

export function blocked(vendor: string, details: { url: string; statusCode: number }): Blocked {
  const by = vendor === "unknown" ? "a bot wall" : `a bot wall of ${vendor}`
  return new Blocked(
    `${new URL(details.url).host} answered with ${by} (status ${details.statusCode}).`,
    vendor,
    details,
  )
}
