import { parseJson, readText } from "../../http/body.ts"
import { ApiError } from "../../http/errors.ts"

/** A POST call of the reader. */
export interface PostedCall {
  url: string
  /** The headers of the call, with the options of its body as headers. */
  headers: Headers
  /** Names in the body that are not options. */
  unknown: string[]
}

const headerOf = (name: string) =>
  `x-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** Options whose header has a different name. */
const renamed: Record<string, string> = { setCookies: "x-set-cookie", accept: "accept" }

/** Options of the body. Their headers have the same names in kebab case. */
const options = new Set([
  "base",
  "cacheTolerance",
  "engine",
  "html",
  "injectFrameScript",
  "injectPageScript",
  "keepImgDataUrl",
  "locale",
  "maxOutputTokens",
  "maxTokens",
  "noCache",
  "noGfm",
  "pdf",
  "proxy",
  "proxyUrl",
  "referer",
  "removeSelector",
  "respondTiming",
  "respondWith",
  "retainImages",
  "returnFormat",
  "robotsTxt",
  "setCookies",
  "targetSelector",
  "timeout",
  "tokenBudget",
  "userAgent",
  "viewport",
  "waitForSelector",
  "withGeneratedAlt",
  "withIframe",
  "withImagesSummary",
  "withLinksSummary",
  "withShadowDom",
])

/** Reads a JSON or form body. @throws ApiError 400, 408, 413 */
export async function postedCall(request: Request): Promise<PostedCall> {
  const { url, ...rest } = fieldsOf(request.headers.get("content-type"), await readText(request))
  if (typeof url !== "string" || url.trim() === "") {
    throw new ApiError(400, 'The body needs "url", for example {"url": "https://example.com/#/a"}.')
  }
  const headers = new Headers(request.headers)
  const unknown: string[] = []
  for (const [name, value] of Object.entries(rest)) {
    if (value === null || value === undefined) continue
    if (options.has(name)) set(headers, renamed[name] ?? headerOf(name), value)
    else unknown.push(name.slice(0, 60))
  }
  return { url: url.trim(), headers, unknown: unknown.slice(0, 20) }
}

function fieldsOf(type: string | null, text: string): Record<string, unknown> {
  if (!/\bjson\b/i.test(type ?? "")) return Object.fromEntries(new URLSearchParams(text))
  const body = parseJson(text)
  if (typeof body === "object" && body !== null && !Array.isArray(body)) {
    return body as Record<string, unknown>
  }
  throw new ApiError(
    400,
    'The body must be a JSON object or a form, for example {"url": "https://example.com"}.',
  )
}

/** Sets a header. @throws ApiError 400 if a header cannot contain the value */
function set(headers: Headers, name: string, value: unknown): void {
  const written = Array.isArray(value) ? value.map(String).join(", ") : String(value)
  try {
    headers.set(name, written)
  } catch {
    throw new ApiError(
      400,
      `The value of ${name} contains characters that a header cannot contain.`,
    )
  }
}
