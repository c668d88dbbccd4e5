/** The site's password: tests must not find it anywhere but in the site's own memory. */
export const password = `pw-${crypto.randomUUID()}`

const words = "<p>Words of a page that is long enough to be a whole page of a site. </p>".repeat(30)
const html = (title: string, body: string) =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`

export interface Seen {
  host: string
  path: string
  cookie: string
}

/** A site on loopback with a sign-in page, to which its members' pages redirect other visitors. */
export class LoginSite {
  /** Values of the cookie `sid` that are signed in. */
  readonly members = new Set<string>()
  /** Every value of the cookie that the site has set. */
  readonly secrets: string[] = []
  readonly seen: Seen[] = []
  logins = 0
  /** Whether the form accepts the password. */
  isOpen = true
  private visits = 0
  /** Log-ins that the other service has confirmed. */
  private readonly codes = new Set<string>()
  private readonly server: ReturnType<typeof Bun.serve>

  constructor() {
    this.server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => this.answer(request),
    })
  }

  get port(): number {
    return this.server.port!
  }

  url(path: string, host = "127.0.0.1"): string {
    return `http://${host}:${this.port}${path}`
  }

  newMember(): string {
    const value = `sid-${crypto.randomUUID()}`
    this.members.add(value)
    this.secrets.push(value)
    return value
  }

  /** Ends the log-ins of all members. */
  expire(): void {
    this.members.clear()
  }

  stop(): void {
    void this.server.stop(true)
  }

  private async answer(request: Request): Promise<Response> {
    const { hostname, pathname: path } = new URL(request.url)
    const cookie = request.headers.get("cookie") ?? ""
    this.seen.push({ host: hostname, path, cookie })
    const page = (title: string, body: string, headers = {}) =>
      new Response(html(title, body), { headers: { "content-type": "text/html", ...headers } })
    const goTo = (location: string, headers = {}) =>
      new Response(null, { status: 303, headers: { location, ...headers } })
    if (path === "/robots.txt") return new Response("", { status: 404 })
    if (path === "/login" && request.method === "POST") return this.logIn(request, goTo)
    if (path === "/login") {
      return page(
        "Sign in",
        `<form method="post" action="/login"><input id="email" name="email" type="email">
         <input id="password" name="password" type="password"><button id="go">Sign in</button></form>`,
      )
    }
    if (path === "/login-by-another") {
      const provider = this.url("/provider", "localhost")
      const script = `
        addEventListener("message", async ({ data }) => {
          await fetch("/callback", { method: "POST", body: data })
          location = "/members/start"
        })
        document.querySelector("button").onclick = () => open("${provider}", "provider", "width=500,height=600")`
      return page("Choose", `<button>By another service</button><script>${script}</script>`)
    }
    if (path === "/provider" && hostname === "localhost") {
      const form = `<form method="post" action="/provider-done"><input name="password" type="password"></form>`
      return page("Provider", form, { "set-cookie": "provider=seen; Path=/" })
    }
    if (path === "/provider-done") {
      const form = new URLSearchParams(await request.text())
      if (form.get("password") !== password) return goTo("/provider")
      const code = crypto.randomUUID()
      this.codes.add(code)
      return page("Done", `<script>opener.postMessage("${code}", "*"); close()</script>`)
    }
    if (path === "/callback") {
      if (!this.codes.delete(await request.text())) return new Response(null, { status: 403 })
      const sid = `sid=${this.newMember()}; Path=/; HttpOnly`
      return new Response(null, { status: 204, headers: { "set-cookie": sid } })
    }
    if (path === "/elsewhere") return goTo(this.url("/open", "localhost"))
    if (path === "/open") return page("Open", words)
    if (path === "/app") {
      const script = `document.querySelector("h1").after(localStorage.getItem("token") ?? "no token")`
      return page("App", `${words}<script>${script}</script>`)
    }
    const sid = /\bsid=([^;]+)/.exec(cookie)?.[1] ?? ""
    if (!this.members.has(sid)) return goTo("/login")
    const visit = `visit=${++this.visits}; Path=/; Max-Age=3600; HttpOnly`
    const script = `<script>localStorage.setItem("token", "token-of-ada")</script>`
    return page(`Members ${path}`, `<p class="who">Hello Ada</p>${words}${script}`, {
      "set-cookie": visit,
    })
  }

  private async logIn(
    request: Request,
    goTo: (location: string, headers?: Record<string, string>) => Response,
  ): Promise<Response> {
    const form = new URLSearchParams(await request.text())
    if (!this.isOpen || form.get("password") !== password) return goTo("/login")
    this.logins++
    return goTo("/members/start", { "set-cookie": `sid=${this.newMember()}; Path=/; HttpOnly` })
  }
}
