import { type AnyElysia, Elysia } from "elysia"
import { openCors, preflight } from "../../http/cors.ts"
import { ApiError } from "../../http/errors.ts"
import type { KeylessSurface } from "../../keyless/surface.ts"
import { pathOf } from "../../log/logged-path.ts"
import type { Hit } from "../../search/engines.ts"
import { regionOf } from "../../search/regions.ts"
import type { Call } from "../../service.ts"
import { answersBy } from "../common/refusal.ts"
import { errorOf, goodItem, runNow } from "../common/run-now.ts"
import { searchForCall } from "../common/web-search.ts"
import { postedCall } from "./body.ts"
import { inputOf, isPictured, pageOf, pageText, type ReaderPage } from "./page.ts"
import { type ReaderCall, readerCall } from "./request.ts"

const hidden = { detail: { hide: true } }
const slug = "url-to-markdown-scraper"
/** A proxy may have merged the two slashes. */
const plainUrl = /^\/https?:\/{1,2}[^/]/i
const hitsRead = 5
const hitsListed = 10

/** Jina's reader and search: the URL or the query follows the prefix. */
export function jinaRoutes(surface: KeylessSurface): AnyElysia {
  const { service } = surface
  const answered = answersBy(service, refusalBody)

  async function readOne(call: Call, requested: ReaderCall, url: string): Promise<Response> {
    if (requested.form === "no-content")
      throw new ApiError(400, '"no-content" is only for a search.')
    const [item] = await runNow(surface, call, {
      slug,
      input: inputOf(requested, [url]),
      waitMs: requested.waitMs,
      maxAgeMs: requested.maxAgeMs,
      alias: { field: "urls", parameter: "url" },
    })
    const page = pageOf(goodItem(item), requested)
    const image = page.screenshotUrl ?? page.pageshotUrl
    if (image && requested.response === "text") return redirect(image)
    return inTheForm(requested, page, pageText(page, requested), page.usage, page.warning)
  }

  const read = answered(async (call) => {
    open(call)
    if (call.request.method === "HEAD") return new Response(null)
    return readOne(call, readerCall(call.request.headers), targetOf(call.request, /^\/r\//))
  })

  /** Reads a URL with a fragment, which cannot be part of a path. */
  const readPosted = answered(async (call) => {
    open(call)
    const { url, headers, unknown } = await postedCall(call.request)
    const requested = readerCall(headers)
    return readOne(call, { ...requested, ignored: [...requested.ignored, ...unknown] }, url)
  })

  const search = answered(async (call) => {
    open(call)
    if (call.request.method === "HEAD") return new Response(null)
    const requested = readerCall(call.request.headers)
    if (isPictured(requested))
      throw new ApiError(400, `${requested.form} is only for a single page.`)
    const { ignored, ...wanted } = searchOf(call.request)
    requested.ignored.push(...ignored)
    const { hits } = await searchForCall(surface, call, {
      ...wanted,
      kind: "web",
      limit: requested.form === "no-content" ? hitsListed : hitsRead,
      waitMs: requested.waitMs,
    })
    const pages =
      requested.form === "no-content" ? hits.map(trimmed) : await readHits(call, requested, hits)
    const tokens = pages.reduce((sum, page) => sum + page.usage.tokens, 0)
    const text = pages.map((page, index) => hitText(page, index + 1)).join("\n\n")
    return inTheForm(requested, pages, `${text}\n`, { tokens }, ignoredBy(requested))
  })

  /**
   * Reads the pages of a search. A page that cannot be read keeps its position, with the search
   * result's own text.
   */
  async function readHits(call: Call, requested: ReaderCall, hits: Hit[]): Promise<ReaderPage[]> {
    if (hits.length === 0) return []
    const items = await runNow(surface, call, {
      slug,
      input: inputOf(
        requested,
        hits.map(({ url }) => url),
      ),
      waitMs: requested.waitMs,
      maxAgeMs: requested.maxAgeMs,
    })
    const byUrl = new Map(items.filter((item) => !errorOf(item)).map((item) => [item.url, item]))
    return hits.map((hit) => {
      const item = byUrl.get(hit.url)
      if (!item) return trimmed(hit)
      const page = pageOf(item, requested)
      const description = page.description || hit.snippet
      return { ...trimmed(hit), ...page, title: hit.title, description }
    })
  }

  return new Elysia()
    .onRequest(({ request, set, server }) => {
      const isUrl = plainUrl.test(pathOf(request.url))
      if (!isUrl || !["GET", "HEAD"].includes(request.method)) return
      return read({ request, set, server, params: {} })
    })
    .get("/r/*", ({ request, set, server }) => read({ request, set, server, params: {} }), hidden)
    .get("/s/*", ({ request, set, server }) => search({ request, set, server, params: {} }), hidden)
    .post("/", ({ request, set, server }) => readPosted({ request, set, server, params: {} }), {
      ...hidden,
      parse: "none",
    })
    .options("/", readerPreflight, hidden)
    .options("/r/*", readerPreflight, hidden)
    .options("/s/*", readerPreflight, hidden)
    .as("global")
}

const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

/** Scripts of any origin may call it, like the keyless API. */
function open({ set }: Call): void {
  const name = "access-control-expose-headers"
  Object.assign(set.headers, openCors, { [name]: `${openCors[name]}, x-warning` })
}

/** Allows the headers that are options of the reader. */
function readerPreflight({ request }: { request: Request }): Response {
  const response = preflight()
  const name = "access-control-allow-headers"
  const wanted = request.headers.get("access-control-request-headers") ?? ""
  const options = wanted.split(",").filter((header) => /^\s*x-[\w-]{1,60}\s*$/i.test(header))
  const allowed = [response.headers.get(name), ...options.map((header) => header.trim())]
  response.headers.set(name, allowed.filter(Boolean).join(", "))
  return response
}

/** The URL as it was written, with its own query: only the prefix of the path is removed. */
function targetOf({ url }: Request, before: RegExp): string {
  const written = afterOrigin(url).replace(before, "/").slice(1)
  const target = written.replace(/^(https?:)\/(?!\/)/i, "$1//")
  if (target === "")
    throw new ApiError(
      400,
      "The URL of a page is missing after /r/, for example /r/https://example.com.",
    )
  // The URL may also be one percent-encoded path segment.
  return /^https?%3A/i.test(target) ? plain(target) : target
}

/** The query of a search, with its filters: sites, country and language. */
function searchOf(request: Request) {
  const { searchParams } = new URL(request.url)
  const header = request.headers.get("x-site")
  const sites = [...searchParams.getAll("site"), ...(header === null ? [] : header.split(","))]
    .map((site) => URL.parse(site.trim())?.host ?? site.trim())
    .filter(Boolean)
    .slice(0, 20)
    .map((site) => `site:${site}`)
  const within =
    sites.length > 1 ? ` (${sites.join(" OR ")})` : sites.map((one) => ` ${one}`).join("")
  const country = searchParams.get("gl")
  const region = country ? regionOf(country, searchParams.get("hl") ?? undefined) : undefined
  const ignored = [...new Set(searchParams.keys())].filter(
    (name) => !["q", "site", "gl", "hl"].includes(name) || (name === "gl" && !region),
  )
  return {
    query: queryOf(request) + within,
    region,
    ignored: ignored.slice(0, 20).map((name) => name.slice(0, 60)),
  }
}

function queryOf({ url }: Request): string {
  const { pathname, searchParams } = new URL(url)
  const query = searchParams.get("q") ?? plain(pathname.slice("/s/".length))
  if (query.trim() === "")
    throw new ApiError(400, "The query is missing after /s/, for example /s/web%20scraping.")
  return query
}

function plain(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const afterOrigin = (url: string) => url.slice(url.indexOf("/", url.indexOf("//") + 2))

const trimmed = ({ url, title, snippet, publishedAt }: Hit): ReaderPage => ({
  title,
  url,
  description: snippet,
  ...(publishedAt && { publishedTime: publishedAt }),
  usage: { tokens: 0 },
})

function hitText(page: ReaderPage, position: number): string {
  const lines = [
    `[${position}] Title: ${page.title}`,
    `[${position}] URL Source: ${page.url}`,
    `[${position}] Description: ${page.description}`,
  ]
  const body = page.html ?? page.text ?? page.content
  return body === undefined
    ? lines.join("\n")
    : [...lines, `[${position}] Markdown Content:`, body].join("\n")
}

const ignoredBy = ({ ignored }: ReaderCall) =>
  ignored.length > 0 ? `Ignored options: ${ignored.join(", ")}.` : undefined

/** Adds warnings to a header too, because most text formats have no place for them. */
function inTheForm(
  requested: ReaderCall,
  data: object,
  text: string,
  usage: object,
  warning?: string,
): Response {
  const warned = warning ? { "x-warning": warning.replace(/[^\x20-\x7e]/g, " ") } : undefined
  if (requested.response === "json") {
    return Response.json(
      { code: 200, status: 20000, data, meta: { usage } },
      warned && { headers: warned },
    )
  }
  if (requested.response === "stream") {
    return new Response(`event: data\ndata: ${JSON.stringify(data)}\n\n`, {
      headers: {
        "content-type": "text/event-stream;charset=utf-8",
        "cache-control": "no-store",
        ...warned,
      },
    })
  }
  return new Response(text, { headers: { "content-type": "text/plain;charset=utf-8", ...warned } })
}

const names: Record<number, string> = {
  400: "ParamValidationError",
  401: "AuthenticationFailedError",
  402: "InsufficientBalanceError",
  403: "SecurityCompromiseError",
  408: "TimeoutError",
  409: "BudgetExceededError",
  422: "AssertionFailureError",
  429: "RateLimitTriggeredError",
}

function refusalBody({ status, message }: ApiError) {
  const name = names[status] ?? "ServiceError"
  return {
    data: null,
    code: status,
    name,
    status: status * 100,
    message,
    readableMessage: `${name}: ${message}`,
  }
}
