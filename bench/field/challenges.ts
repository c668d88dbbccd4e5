/** A request as a challenge sees it. */
export interface Visit {
  url: URL
  method: string
  cookies: string
  accept: string
  /** Whether the connection's TLS ClientHello was Chrome's. */
  isChrome: boolean
  /** Names of its headers, in their order. */
  names: readonly string[]
  /** Requests of this run so far, without those for robots.txt. */
  number: number
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  body: string
}

/** The challenge of every host; `null` lets a request through. */
export interface ChallengeRules {
  /** What happens to connections whose ClientHello is not Chrome's. */
  hello?: "cut" | "stall"
  /** The error code of a run that does not pass. */
  is: readonly string[]
  response?(visit: Visit): Reply | null
}

const html = { "content-type": "text/html; charset=utf-8" }
const page = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body>${body}</body></html>`
const nginx = (status: number): Reply => ({
  status,
  headers: html,
  body: page(`${status}`, `<center><h1>${status}</h1></center><hr><center>nginx</center>`),
})
const links = Array.from({ length: 60 }, (_, n) => `<li><a href="/c/${n}">Part ${n}</a></li>`).join(
  "",
)
const captcha =
  '<form><div class="g-recaptcha" data-sitekey="k"></div><button>Go on</button></form>'
const wantsPage = ({ accept, method }: Visit) => method === "GET" && /html/.test(accept)

const challenge = (seconds: number): ChallengeRules => ({
  is: ["blocked"],
  response: ({ cookies }) =>
    cookies.includes("field_pass=1")
      ? null
      : {
          status: 403,
          headers: { ...html, server: "cloudflare" },
          body: page(
            "Just a moment...",
            `<p>Checking</p><script>setTimeout(() => { document.cookie = "field_pass=1; path=/; max-age=600"; location.reload() }, ${seconds * 1000})</script>`,
          ),
        },
})
const byHello = (status: number): ChallengeRules => ({
  is: ["forbidden", "rate_limited", "upstream_error", "http_error", "blocked"],
  response: ({ isChrome }) => (isChrome ? null : nginx(status)),
})

/** Chrome sends the purpose of the request before the accepted encodings. */
const isInChromesOrder = ({ names }: Visit) =>
  names.includes("sec-fetch-mode") &&
  names.indexOf("sec-fetch-mode") < names.indexOf("accept-encoding")

export const challenges: Record<string, ChallengeRules> = {
  none: { is: [] },
  challenge: challenge(2.5),
  "challenge-9s": challenge(9),
  "hello-cut": { hello: "cut", is: ["connection"] },
  "hello-stall": { hello: "stall", is: ["timeout"] },
  "hello-403": byHello(403),
  "hello-429": byHello(429),
  "hello-503": byHello(503),
  "header-order": {
    is: ["forbidden", "blocked"],
    response: (visit) => (isInChromesOrder(visit) ? null : nginx(403)),
  },
  third: {
    is: ["blocked"],
    response: ({ number }) =>
      number < 3 ? null : { status: 200, headers: html, body: page("Robot check", captcha) },
  },
  soft: {
    is: ["blocked"],
    response: () => ({
      status: 200,
      headers: html,
      body: page("Site", `<ul>${links}</ul><h1>Are you a human?</h1>${captcha}`),
    }),
  },
  shell: {
    is: ["app_shell"],
    response: (visit) =>
      !wantsPage(visit) || visit.cookies.includes("field_filled=1")
        ? null
        : {
            status: 200,
            headers: html,
            body: page(
              "Site",
              `<div id="root"></div><script>setTimeout(() => { document.cookie = "field_filled=1; path=/"; location.reload() }, 1500)</script>`,
            ),
          },
  },
  login: {
    is: ["login_required"],
    response: ({ url }) =>
      url.pathname === "/login"
        ? {
            status: 200,
            headers: html,
            body: page("Sign in", '<form><input type="email"><input type="password"></form>'),
          }
        : { status: 302, headers: { location: "/login" }, body: "" },
  },
  geo: {
    is: ["geo_blocked"],
    response: () => ({
      status: 200,
      headers: html,
      body: page("Site", "<p>This content is not available in your country.</p>"),
    }),
  },
  "rate-limit": {
    is: ["rate_limited"],
    response: () => ({
      status: 429,
      headers: { ...html, "retry-after": "600" },
      body: "Slow down",
    }),
  },
}
