import { baseUrl, textOf, words } from "../core/index.ts"

/** A link of a page that can be checked; `url` is null if it is not a URL. */
interface CheckableLink {
  url: string | null
  /** As on the page. */
  written: string
  element: "a" | "area" | "img" | "iframe"
  /** Its text, or that of its image. */
  text: string | null
}

export interface CheckableLinks {
  links: CheckableLink[]
  /** Links that no request can check: mail, telephone, scripts. */
  skipped: number
}

const otherSchemes = new RegExp(
  `^(?:${words(String.raw`
    mailto|tel|sms|javascript|data|blob|about|file|ftp|sftp|skype|callto|whatsapp|viber|tg|geo
    maps|intent|market|magnet|webcal|facetime|fb-messenger|itms-apps|feed|irc|view-source|chrome
    ms-\w+|android-app|ios-app|urn|cid|mid|news|ssh|git|slack|zoommtg|steam|spotify
  `)}):`,
  "i",
)
/** Signs of a template that was never filled in. */
const placeholder = /\{\{|\}\}|%7B%7B|<%|\$\{/i

/** The links of a page in document order, those that repeat included; jumps within it left out. */
export function checkableLinks(document: Document, pageUrl: string): CheckableLinks {
  const base = baseUrl(document, pageUrl)
  const checkable: CheckableLinks = { links: [], skipped: 0 }
  for (const element of document.querySelectorAll("a[href], area[href], img[src], iframe[src]")) {
    const name = element.localName as CheckableLink["element"]
    const written = (
      element.getAttribute(name === "a" || name === "area" ? "href" : "src") ?? ""
    ).trim()
    if (written === "" || written.startsWith("#")) continue
    if (otherSchemes.test(written)) {
      checkable.skipped++
      continue
    }
    checkable.links.push({
      url: addressOf(written, base),
      written,
      element: name,
      text: textFor(element),
    })
  }
  return checkable
}

/** Browsers repair `http:///x`, which is always a mistake; a misspelt scheme has no target. */
function addressOf(written: string, base: string): string | null {
  if (/^https?:\/{3,}/i.test(written) || placeholder.test(written)) return null
  const url = URL.parse(written, base)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "") return null
  url.hash = ""
  return url.href
}

function textFor(element: Element): string | null {
  const alt = element.getAttribute("alt") ?? element.querySelector("img")?.getAttribute("alt")
  return textOf(element) ?? (alt?.trim() || null)
}
