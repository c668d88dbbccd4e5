import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { type AnyScraper, categories } from "../../catalogue/kit/index.ts"
import { linksOf, linksSchema } from "../examples/links.ts"
import { callContext } from "../http/context.ts"
import { responseSchema } from "../http/contract.ts"
import { operation } from "../http/operation.ts"
import { escapeHtml, icon } from "../http/page.ts"
import { responseObject } from "../schemas/common.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ScraperParts,
  SignUpParts,
} from "../service-parts.ts"
import { consolePage } from "./page.ts"

const robots = `User-agent: *
Disallow: /api/
Disallow: /signup
`

const dayLong = { "cache-control": "public, max-age=86400" }

/** The home page: HTML for people, a directory for programs. */
export function homeRoutes(
  service: CoreParts & ClientParts & AccessParts & SignUpParts & ScraperParts,
): AnyElysia {
  return new Elysia()
    .use(callContext(service))
    .model({
      Home: responseSchema(
        responseObject(
          { service: Type.String(), description: Type.String(), links: linksSchema },
          { $id: "Home" },
        ),
      ),
    })
    .get(
      "/",
      async ({ root, call, request }) => {
        const headers = { vary: "accept" }
        if (!request.headers.get("accept")?.includes("text/html")) {
          const about = { service: "Trawl", description: description(service) }
          return Response.json({ ...about, links: linksOf(root) }, { headers })
        }
        return consolePage(service, call, { plain: plainHome(service, root), headers })
      },
      {
        root: true,
        call: true,
        response: { 200: "Home" },
        detail: operation({
          id: "home",
          tag: "Service",
          summary: "Get the directory of the service",
          description: "A page for browsers (`Accept: text/html`), JSON for all others.",
          auth: "none",
          replies: {
            200: {
              description: "The directory, or the HTML page.",
              types: ["application/json", "text/html"],
            },
          },
        }),
      },
    )
    .get(
      "/favicon.ico",
      () => new Response(icon, { headers: { "content-type": "image/svg+xml", ...dayLong } }),
      { detail: { hide: true } },
    )
    .get(
      "/robots.txt",
      () => new Response(robots, { headers: { "content-type": "text/plain", ...dayLong } }),
      { detail: { hide: true } },
    )
}

function description({ catalogue }: ScraperParts): string {
  return `Scrapes public web pages and public data, and returns JSON: ${catalogue.length} named scrapers, any page as Markdown, and your own fields by CSS selectors.`
}

/** Returns the page for browsers without scripts. */
function plainHome(service: CoreParts & SignUpParts & ScraperParts, root: string): string {
  const { base, config } = service
  const free =
    config.freeDaily > 0
      ? `${config.freeDaily} calls a day need no API key.`
      : "Calls need an API key; the response explains how to get one."
  const signUp = service.signUpIsOpen
    ? `<a href="${base}/signup">Sign up or sign in</a> for an API key, with ${config.signupCredits} credits for a new account`
    : `<a href="${base}/signup">Sign in</a> with an account from the operator of this server`
  return `<h1>Any web page as data</h1>
<p>${escapeHtml(description(service))} ${free}</p>
<form action="${base}/api/scrape">
<label for="url">A page as Markdown</label>
<div class="row"><input id="url" name="url" type="url" required placeholder="https://example.com" autocomplete="url"><button>Scrape</button></div>
</form>
<h2>From a program</h2>
<pre><code>curl '${escapeHtml(root)}/api/scrape?url=https://example.com'</code></pre>
<h2>Documentation</h2>
<ul>
<li><a href="${base}/docs">API reference</a> with every route, to try in the browser</li>
<li><a href="${base}/docs/guide">Guide</a> for users and operators</li>
<li>${signUp}</li>
<li><a href="${base}/llms.txt">llms.txt</a>: one page for agents</li>
<li><a href="${base}/openapi.json">openapi.json</a>: for code generators</li>
<li><a href="${base}/api/scrape">All scrapers</a> and <a href="${base}/api/tools">all fixed tools</a> as JSON</li>
<li>MCP endpoint for assistants: <code>${escapeHtml(root)}/api/mcp</code></li>
</ul>
<h2>Scrapers</h2>
<p>Select a scraper to see its inputs and an example call.</p>
${categories.map((category) => categoryHtml(service, category)).join("")}`
}

function categoryHtml({ base, catalogue }: CoreParts & ScraperParts, category: string): string {
  const scrapers = catalogue.filter((scraper) => scraper.category === category)
  if (scrapers.length === 0) return ""
  const title = category[0]!.toUpperCase() + category.slice(1).replace("-", " ")
  return `<details><summary>${title} (${scrapers.length})</summary>
<ul>${scrapers.map((scraper) => scraperHtml(scraper, base)).join("\n")}</ul></details>
`
}

function scraperHtml({ slug, name, tagline }: AnyScraper, base: string): string {
  return `<li><a href="${base}/api/scrape/${slug}">${escapeHtml(name)}</a>: ${escapeHtml(tagline)}</li>`
}
