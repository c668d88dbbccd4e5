import { notOffered } from "../dropin/refusal.ts"
import { ApiError } from "../http/errors.ts"

const forms = ["content", "markdown", "html", "text", "screenshot", "pageshot"] as const
type Form = (typeof forms)[number] | "no-content"

/** What a call of the reader wants, by its headers. */
export interface ReaderCall {
  form: Form
  targetSelectors: string[]
  removeSelectors: string[]
  waitForSelector: string | undefined
  waitMs: number | undefined
  /** How old an earlier answer may be; milliseconds. */
  maxAgeMs: number | undefined
  /** Of the request for the page. */
  headers: Record<string, string>
  country: string | undefined
  rendered: boolean
  links: boolean
  images: boolean
  answer: "text" | "json" | "stream"
}

const longestSeconds = 180

/** Headers that ask for what cannot be done: to leave them unheard would change the answer's meaning. */
const refused = ["x-proxy-url"]
/** Headers of the page's request, by those that ask for them. */
const passedOn: Record<string, string> = {
  "x-set-cookie": "Cookie",
  "x-locale": "Accept-Language",
  "x-user-agent": "User-Agent",
  "x-referer": "Referer",
}

/** @throws ApiError 400 naming the header */
export function readerCall(headers: Headers): ReaderCall {
  for (const name of refused) {
    if (headers.has(name)) throw notOffered(`The header ${name}`)
  }
  return {
    form: formOf(headers.get("x-respond-with") ?? headers.get("x-return-format")),
    targetSelectors: listOf(headers.get("x-target-selector")),
    removeSelectors: [
      ...listOf(headers.get("x-remove-selector")),
      ...(headers.get("x-retain-images") === "none" ? ["img, picture, svg"] : []),
    ],
    waitForSelector: headers.get("x-wait-for-selector")?.trim() || undefined,
    waitMs: waitOf(headers.get("x-timeout")),
    maxAgeMs: isWanted(headers.get("x-no-cache")) ? 0 : ageOf(headers.get("x-cache-tolerance")),
    headers: Object.fromEntries(
      Object.entries(passedOn).flatMap(([name, theirs]) => {
        const value = headers.get(name)
        return value === null ? [] : [[theirs, cookieOf(theirs, value)]]
      }),
    ),
    country: /^[a-z]{2}$/i.test(headers.get("x-proxy") ?? "") ? headers.get("x-proxy")! : undefined,
    rendered: headers.get("x-engine") === "browser",
    links: isWanted(headers.get("x-with-links-summary")),
    images: isWanted(headers.get("x-with-images-summary")),
    answer: answerOf(headers.get("accept") ?? ""),
  }
}

/** A list of selectors is itself a selector. */
const listOf = (written: string | null) => (written?.trim() ? [written.trim()] : [])

const isWanted = (written: string | null) =>
  written !== null && !["", "false", "0"].includes(written.trim().toLowerCase())

function formOf(written: string | null): Form {
  const form = written?.trim().toLowerCase() || "content"
  if (form === "no-content" || (forms as readonly string[]).includes(form)) return form as Form
  throw notOffered(
    `x-respond-with: ${form.slice(0, 40)}`,
    `It takes ${forms.join(", ")} and no-content (of a search).`,
  )
}

function waitOf(written: string | null): number | undefined {
  if (written === null) return undefined
  const seconds = Number(written)
  if (seconds >= 1 && seconds <= longestSeconds) return seconds * 1000
  throw new ApiError(400, `x-timeout must be a number of seconds from 1 to ${longestSeconds}.`)
}

const longestAgeSeconds = 86_400

function ageOf(written: string | null): number | undefined {
  if (written === null) return undefined
  const seconds = Number(written)
  if (seconds >= 0) return Math.min(seconds, longestAgeSeconds) * 1000
  throw new ApiError(400, "x-cache-tolerance must be a number of seconds.")
}

/** A cookie is written with what browsers keep beside it; its name and value alone go out. */
const cookieOf = (header: string, value: string) =>
  header === "Cookie" ? value.split(";", 1)[0]!.trim() : value

function answerOf(accept: string): ReaderCall["answer"] {
  if (/text\/event-stream/i.test(accept)) return "stream"
  return /application\/json/i.test(accept) ? "json" : "text"
}
