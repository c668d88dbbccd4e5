import { signedIn } from "../http/access.ts"
import { escapeHtml } from "../http/page.ts"
import type { Call } from "../service.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ScraperParts,
  SignUpParts,
} from "../service-parts.ts"
import { consoleAssets } from "./assets.ts"

/** Allows only scripts, styles and data of this server, and no framing. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const pageHeaders = {
  "content-type": "text/html;charset=utf-8",
  "content-security-policy": policy,
  // With a stricter policy, browsers would send forms with the origin "null".
  "referrer-policy": "same-origin",
  // The page contains the signed-in account.
  "cache-control": "private, no-cache",
}

interface PageParts {
  /** HTML for browsers without scripts. */
  plain: string
  status?: number
  headers?: Record<string, string>
}

/** The page of all console screens. Its script selects the screen by the URL. */
export async function consolePage(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & ScraperParts,
  call: Call,
  { plain, status = 200, headers }: PageParts,
): Promise<Response> {
  const { base, config, catalogue } = service
  const { script, style } = await consoleAssets()
  const account = await signedIn(service, call)
  const reported = Object.entries({
    base,
    root: service.root(call),
    "free-daily": config.freeDaily,
    "sign-up": service.signUpIsOpen ? "open" : "closed",
    "signup-credits": config.signupCredits,
    scrapers: catalogue.length,
    ...(account && { account: account.email ?? "", role: account.role }),
  }).map(([name, value]) => ` data-${name}="${escapeHtml(String(value))}"`)
  const html = `<!doctype html>
<html lang="en"${reported.join("")}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Trawl: any web page as data</title>
<link rel="icon" type="image/svg+xml" href="${base}/favicon.ico">
<link rel="stylesheet" href="${base}/console/${style.name}">
<script type="module" src="${base}/console/${script.name}"></script>
</head>
<body>
<div id="app"></div>
<noscript><main class="wide">${plain}</main></noscript>
</body>
</html>
`
  return new Response(html, { status, headers: { ...pageHeaders, ...headers } })
}
