import { ApiError } from "../../http/errors.ts"
import { errorStatus, type Item } from "../common/run-now.ts"
import type { ReaderCall } from "./request.ts"

interface Link {
  url: string
  text: string
}
interface Image {
  url: string
  alt: string | null
}

/** A page in the format of Jina Reader's JSON. */
export interface ReaderPage {
  title: string
  description: string
  url: string
  content?: string
  html?: string
  text?: string
  /** URL of the screenshot of the window or the whole page. */
  screenshotUrl?: string
  pageshotUrl?: string
  publishedTime?: string
  /** Warning for the reader of the page. */
  warning?: string
  /** Links by text; pairs of text and URL if all links are requested. */
  links?: Record<string, string> | [string, string][]
  images?: Record<string, string>
  usage: { tokens: number }
}

/** Whether the response is a screenshot. */
export const isPictured = ({ form }: Pick<ReaderCall, "form">) =>
  form === "screenshot" || form === "pageshot"

export function inputOf(requested: ReaderCall, urls: string[]): Record<string, unknown> {
  const formats = [
    ...(requested.form === "html" ? ["rawHtml"] : []),
    ...(requested.form === "text" ? ["text"] : []),
    ...(requested.links ? ["links"] : []),
    ...(requested.images ? ["images"] : []),
    ...(isPictured(requested) ? ["screenshot"] : []),
  ]
  return {
    urls,
    // `markdown` is the whole page, `content` its main content.
    mainContentOnly: requested.form === "content",
    errorPages: true,
    ...((requested.links || requested.images) && { listWholePage: true }),
    ...(requested.robots && { obeyRobots: true }),
    ...(formats.length > 0 && { formats }),
    ...(requested.form === "pageshot" && { screenshot: { fullPage: true } }),
    ...(requested.targetSelectors.length > 0 && { includeSelectors: requested.targetSelectors }),
    ...(requested.removeSelectors.length > 0 && { excludeSelectors: requested.removeSelectors }),
    ...(requested.waitForSelector && { waitForSelector: requested.waitForSelector }),
    ...((requested.rendered || urls.some(isRoute)) && { renderScripts: true }),
    ...(Object.keys(requested.headers).length > 0 && { headers: requested.headers }),
    ...(requested.country && { country: requested.country }),
  }
}

/** A fragment that selects a page in a single-page app. */
const isRoute = (url: string) => /#!?\//.test(url)

/** Returns the page. @throws ApiError 409 if the page has more tokens than the caller's budget */
export function pageOf(item: Item, requested: ReaderCall): ReaderPage {
  const { form, budget } = requested
  const links = item.links as Link[] | undefined
  const images = item.images as Image[] | undefined
  const tokens = Number(item.tokenEstimate ?? 0)
  if (budget !== undefined && tokens > budget) {
    throw new ApiError(
      409,
      `The page has about ${tokens} tokens, more than x-token-budget, ${budget}.`,
    )
  }
  const warning = warningOf(item, requested)
  const visible = (written: unknown) =>
    cut(requested.alt ? altTexts(text(written)) : text(written), requested)
  return {
    title: text(item.title),
    description: text(item.description),
    url: text(item.finalUrl) || text(item.url),
    ...(isPictured({ form })
      ? { [`${form}Url`]: text((item.screenshot as Item | undefined)?.url) }
      : form === "html"
        ? { html: cut(text(item.rawHtml), requested) }
        : form === "text"
          ? { text: cut(text(item.text), requested) }
          : { content: visible(item.markdown) }),
    ...(item.publishedAt ? { publishedTime: text(item.publishedAt) } : {}),
    ...(warning !== "" && { warning }),
    ...(links && { links: requested.links === "all" ? links.map(pair) : byText(links) }),
    ...(images && {
      images: Object.fromEntries(
        images.map(({ url, alt }, index) => [`Image ${index + 1}${alt ? `: ${alt}` : ""}`, url]),
      ),
    }),
    usage: { tokens: Math.min(tokens, requested.maxTokens ?? tokens) },
  }
}

function warningOf(item: Item, { ignored }: ReaderCall): string {
  const failed = errorStatus(item)
  return [
    ...(failed ? [`Target URL returned error ${failed.code}: ${failed.phrase}`] : []),
    ...(ignored.length > 0 ? [`Ignored options: ${ignored.join(", ")}.`] : []),
  ].join("\n")
}

const pair = ({ url, text }: Link): [string, string] => [text || url, url]

/** Different links with the same text are numbered, so that none is lost. */
function byText(links: readonly Link[]): Record<string, string> {
  const targets = new Map<string, string>()
  for (const [label, url] of links.map(pair)) {
    let name = label
    for (let n = 2; targets.has(name); n++) name = `${label} (${n})`
    targets.set(name, url)
  }
  return Object.fromEntries(targets)
}

/** Characters per token in estimates. */
const charactersPerToken = 4

function cut(written: string, { maxTokens }: ReaderCall): string {
  if (maxTokens === undefined) return written
  return written.slice(0, maxTokens * charactersPerToken).replace(/[\ud800-\udbff]$/, "")
}

/** Images as their alternative texts, numbered; images without one are left out. */
function altTexts(markdown: string): string {
  let count = 0
  return markdown.replace(/!\[((?:[^[\]\\]|\\.)*)\]\((?:[^()\\]|\\.)*\)/g, (_, alt: string) =>
    alt.trim() === "" ? "" : `(Image ${++count}: ${alt})`,
  )
}

/** A page as text: with a few lines of metadata, or only the content if a format was requested. */
export function pageText(page: ReaderPage, { form }: ReaderCall): string {
  const body = page.html ?? page.text ?? page.content ?? ""
  const head =
    form === "content"
      ? `Title: ${page.title}\n\nURL Source: ${page.url}\n\n${
          page.publishedTime ? `Published Time: ${page.publishedTime}\n\n` : ""
        }${page.warning ? `Warning: ${page.warning.replaceAll("\n", "\nWarning: ")}\n\n` : ""}Markdown Content:\n`
      : ""
  return `${head}${body}${summary("Links/Buttons", page.links, "")}${summary("Images", page.images, "!")}`
}

function summary(
  name: string,
  entries: Record<string, string> | [string, string][] | undefined,
  mark: string,
): string {
  if (!entries) return ""
  const pairs = Array.isArray(entries) ? entries : Object.entries(entries)
  const lines = pairs.map(([label, url]) => `- ${mark}[${label}](${url})`)
  return `\n\n${name}:\n${lines.join("\n")}\n`
}

const text = (value: unknown) => (typeof value === "string" ? value : "")
