import type { Item } from "../dropin/run-now.ts"
import type { ReaderCall } from "./asked.ts"

interface Link {
  url: string
  text: string
}
interface Image {
  url: string
  alt: string | null
}

/** A page as Jina's reader answers it as JSON. */
export interface ReaderPage {
  title: string
  description: string
  url: string
  content?: string
  html?: string
  text?: string
  /** Of the window, and of all of the page. */
  screenshotUrl?: string
  pageshotUrl?: string
  publishedTime?: string
  links?: Record<string, string>
  images?: Record<string, string>
  usage: { tokens: number }
}

/** Whether the answer is a picture of the page. */
export const isPictured = ({ form }: Pick<ReaderCall, "form">) =>
  form === "screenshot" || form === "pageshot"

export function inputOf(asked: ReaderCall, urls: string[]): Record<string, unknown> {
  const formats = [
    ...(asked.form === "html" ? ["rawHtml"] : []),
    ...(asked.form === "text" ? ["text"] : []),
    ...(asked.links ? ["links"] : []),
    ...(asked.images ? ["images"] : []),
    ...(isPictured(asked) ? ["screenshot"] : []),
  ]
  return {
    urls,
    // `markdown` is the whole page, `content` what it is about.
    mainContentOnly: asked.form === "content",
    ...(formats.length > 0 && { formats }),
    ...(asked.form === "pageshot" && { screenshot: { fullPage: true } }),
    ...(asked.targetSelectors.length > 0 && { includeSelectors: asked.targetSelectors }),
    ...(asked.removeSelectors.length > 0 && { excludeSelectors: asked.removeSelectors }),
    ...(asked.waitForSelector && { waitForSelector: asked.waitForSelector }),
    ...(asked.rendered && { renderScripts: true }),
    ...(Object.keys(asked.headers).length > 0 && { headers: asked.headers }),
    ...(asked.country && { country: asked.country }),
  }
}

export function pageOf(item: Item, { form }: ReaderCall): ReaderPage {
  const links = item.links as Link[] | undefined
  const images = item.images as Image[] | undefined
  return {
    title: text(item.title),
    description: text(item.description),
    url: text(item.finalUrl) || text(item.url),
    ...(isPictured({ form })
      ? { [`${form}Url`]: text((item.screenshot as Item | undefined)?.url) }
      : form === "html"
        ? { html: text(item.rawHtml) }
        : form === "text"
          ? { text: text(item.text) }
          : { content: text(item.markdown) }),
    ...(item.publishedAt ? { publishedTime: text(item.publishedAt) } : {}),
    ...(links && { links: Object.fromEntries(links.map(({ url, text }) => [text || url, url])) }),
    ...(images && {
      images: Object.fromEntries(
        images.map(({ url, alt }, index) => [`Image ${index + 1}${alt ? `: ${alt}` : ""}`, url]),
      ),
    }),
    usage: { tokens: Number(item.tokenEstimate ?? 0) },
  }
}

/** A page as text: under a few lines that name it, or bare where a form was asked for. */
export function pageText(page: ReaderPage, { form }: ReaderCall): string {
  const body = page.html ?? page.text ?? page.content ?? ""
  const head =
    form === "content"
      ? `Title: ${page.title}\n\nURL Source: ${page.url}\n\n${
          page.publishedTime ? `Published Time: ${page.publishedTime}\n\n` : ""
        }Markdown Content:\n`
      : ""
  return `${head}${body}${summary("Links/Buttons", page.links, "")}${summary("Images", page.images, "!")}`
}

function summary(name: string, entries: Record<string, string> | undefined, mark: string): string {
  if (!entries) return ""
  const lines = Object.entries(entries).map(([label, url]) => `- ${mark}[${label}](${url})`)
  return `\n\n${name}:\n${lines.join("\n")}\n`
}

const text = (value: unknown) => (typeof value === "string" ? value : "")
