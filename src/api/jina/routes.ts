import { type AnyElysia, Elysia } from "elysia"
import { answersBy } from "../dropin/refusal.ts"
import { errorOf, goodItem, runNow } from "../dropin/run-now.ts"
import { type Hit, searchWeb } from "../dropin/web-search.ts"
import { openCors, preflight } from "../http/cors.ts"
import { ApiError } from "../http/errors.ts"
import type { KeylessSurface } from "../keyless/surface.ts"
import { pathOf } from "../log/logged-path.ts"
import type { Call } from "../service.ts"
import { type ReaderCall, readerCall } from "./asked.ts"
import { inputOf, isPictured, pageOf, pageText, type ReaderPage } from "./page.ts"

const hidden = { detail: { hide: true } }
const slug = "url-to-markdown-scraper"
/** A proxy may have made one slash of two. */
const bareAddress = /^\/https?:\/{1,2}[^/]/i
const hitsRead = 5
const hitsListed = 10

/** Jina's reader and search: an address, or a search, behind a slash. */
export function jinaRoutes(surface: KeylessSurface): AnyElysia {
  const { service } = surface
  const answered = answersBy(service, refusalBody)

  const read = answered(async (call) => {
    open(call)
    if (call.request.method === "HEAD") return new Response(null)
    const asked = readerCall(call.request.headers)
    if (asked.form === "no-content") throw new ApiError(400, "no-content is of a search alone.")
    const [item] = await runNow(surface, call, {
      slug,
      input: inputOf(asked, [targetOf(call.request, /^\/r\//)]),
      waitMs: asked.waitMs,
      maxAgeMs: asked.maxAgeMs,
      alias: { field: "urls", parameter: "url" },
    })
    const page = pageOf(goodItem(item), asked)
    const picture = page.screenshotUrl ?? page.pageshotUrl
    if (picture && asked.answer === "text") return redirect(picture)
    return inTheForm(asked, page, pageText(page, asked), page.usage)
  })

  const search = answered(async (call) => {
    open(call)
    if (call.request.method === "HEAD") return new Response(null)
    const asked = readerCall(call.request.headers)
    if (isPictured(asked)) throw new ApiError(400, `${asked.form} is of one page alone.`)
    const hits = await searchWeb(surface, call, {
      query: queryOf(call.request),
      limit: asked.form === "no-content" ? hitsListed : hitsRead,
    })
    const pages = asked.form === "no-content" ? hits.map(bare) : await readHits(call, asked, hits)
    const tokens = pages.reduce((sum, page) => sum + page.usage.tokens, 0)
    const text = pages.map((page, index) => hitText(page, index + 1)).join("\n\n")
    return inTheForm(asked, pages, `${text}\n`, { tokens })
  })

  /** What cannot be read keeps its place, with what the search said of it. */
  async function readHits(call: Call, asked: ReaderCall, hits: Hit[]): Promise<ReaderPage[]> {
    if (hits.length === 0) return []
    const items = await runNow(surface, call, {
      slug,
      input: inputOf(
        asked,
        hits.map(({ url }) => url),
      ),
      waitMs: asked.waitMs,
      maxAgeMs: asked.maxAgeMs,
    })
    const byUrl = new Map(items.filter((item) => !errorOf(item)).map((item) => [item.url, item]))
    return hits.map((hit) => {
      const item = byUrl.get(hit.url)
      return item ? { ...bare(hit), ...pageOf(item, asked), title: hit.title } : bare(hit)
    })
  }

  return new Elysia()
    .onRequest(({ request, set, server }) => {
      const isAddress = bareAddress.test(pathOf(request.url))
      if (!isAddress || !["GET", "HEAD"].includes(request.method)) return
      return read({ request, set, server, params: {} })
    })
    .get("/r/*", ({ request, set, server }) => read({ request, set, server, params: {} }), hidden)
    .get("/s/*", ({ request, set, server }) => search({ request, set, server, params: {} }), hidden)
    .options("/r/*", preflight, hidden)
    .options("/s/*", preflight, hidden)
    .as("global")
}

const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })

/** The scripts of any page may call it, as they may call the keyless surface. */
function open({ set }: Call): void {
  Object.assign(set.headers, openCors)
}

/** The address as it was written, with its own query: only what stands before it is taken off. */
function targetOf({ url }: Request, before: RegExp): string {
  const written = afterOrigin(url).replace(before, "/").slice(1)
  const target = written.replace(/^(https?:)\/(?!\/)/i, "$1//")
  if (target === "") throw new ApiError(400, "The address of a page is missing behind /r/.")
  // A whole address may also be one encoded part of the path.
  return /^https?%3A/i.test(target) ? plain(target) : target
}

function queryOf({ url }: Request): string {
  const { pathname, searchParams } = new URL(url)
  const query = searchParams.get("q") ?? plain(pathname.slice("/s/".length))
  if (query.trim() === "")
    throw new ApiError(400, "The words to search for are missing behind /s/.")
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

const bare = ({ url, title, description, date }: Hit): ReaderPage => ({
  title,
  url,
  description,
  ...(date && { publishedTime: date }),
  usage: { tokens: 0 },
})

function hitText(page: ReaderPage, place: number): string {
  const lines = [
    `[${place}] Title: ${page.title}`,
    `[${place}] URL Source: ${page.url}`,
    `[${place}] Description: ${page.description}`,
  ]
  const body = page.html ?? page.text ?? page.content
  return body === undefined
    ? lines.join("\n")
    : [...lines, `[${place}] Markdown Content:`, body].join("\n")
}

function inTheForm(asked: ReaderCall, data: object, text: string, usage: object): Response {
  if (asked.answer === "json") {
    return Response.json({ code: 200, status: 20000, data, meta: { usage } })
  }
  if (asked.answer === "stream") {
    return new Response(`event: data\ndata: ${JSON.stringify(data)}\n\n`, {
      headers: { "content-type": "text/event-stream;charset=utf-8", "cache-control": "no-store" },
    })
  }
  return new Response(text, { headers: { "content-type": "text/plain;charset=utf-8" } })
}

const names: Record<number, string> = {
  400: "ParamValidationError",
  401: "AuthenticationFailedError",
  402: "InsufficientBalanceError",
  403: "SecurityCompromiseError",
  408: "TimeoutError",
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
