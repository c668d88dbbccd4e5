import { mainContent } from "../article/index.ts"
import { absoluteUrl, baseUrl, foldSpace, lineText, textOf } from "../core/index.ts"
import { normaliseUrl } from "../links/index.ts"
import { codeLanguage } from "../markdown/index.ts"
import { breadcrumbs, type PageSources, pageDate } from "../metadata/index.ts"
import { documentTitle, headingText, linkOf, type MetaTags, metaContent } from "../page/index.ts"
import { labelPanels } from "./tabs.ts"

/** Pages of documentation, by the layouts of the usual generators. */

const contentSelectors = [
  "article.md-content__inner",
  ".theme-doc-markdown",
  ".vp-doc",
  ".rst-content [itemprop=articleBody]",
  "div.document .body",
  "#content main",
  ".markdown-body",
  "[role=main]",
  "main article",
  "main",
]

/** Parts of the content's container that are not content. */
const surroundings =
  "nav, footer, script, style, .md-content__button, .edit-this-page, .theme-edit-this-page, " +
  ".rst-footer-buttons, .pagination-nav, .theme-doc-toc-mobile, .breadcrumb, .breadcrumbs, " +
  ".wy-breadcrumbs, .edit-link, .prev-next, .prev-next-area, .on-this-page, [role=navigation], " +
  ".source-link, .viewcode-link"

const navigationSelector =
  "nav, aside, .sidebar, .wy-menu, .md-nav, .theme-doc-sidebar-container, .VPSidebar, " +
  ".toctree-wrapper, .bs-sidebar, .navbar, .sphinxsidebar, #sidebar"

const minContentChars = 40

/** The content of a page of documentation, as a copy: without navigation, with all its tabs. */
export function docsContent(document: Document, pageUrl: string): Element {
  const isNamed = document.querySelector(contentSelectors.join()) !== null
  for (const selector of isNamed ? contentSelectors : []) {
    for (const container of document.querySelectorAll(selector)) {
      const copy = container.cloneNode(true) as Element
      for (const element of [...copy.querySelectorAll(surroundings)]) element.remove()
      labelPanels(copy)
      if (lineText(copy).length >= minContentChars) return copy
    }
  }
  return mainContent(document, pageUrl).root
}

export interface DocsTitles {
  title: string | null
  siteTitle: string | null
}

/** The page's own title, and that of the documentation that it belongs to. */
export function docsTitles(document: Document, content: Element, meta: MetaTags): DocsTitles {
  const heading = content.querySelector("h1") ?? document.querySelector("main h1, h1")
  const written = documentTitle(document)
  const parts = (written ?? "").split(/(?<!\s)\s+[|\-–—·•»]\s+/)
  const suffix = parts.length > 1 ? parts.at(-1)! : null
  return {
    title:
      (heading && headingText(heading)) ||
      (suffix === null ? written : parts.slice(0, -1).join(" - ")),
    siteTitle:
      suffix ??
      metaContent(meta, "og:site_name") ??
      textOf(
        document.querySelector(".navbar-brand, .navbar__title, .md-header__title .md-ellipsis"),
      ),
  }
}

/**
 * Returns the path to a page: its breadcrumbs, else the parts of its URL.
 *
 * @example
 * ```ts
 * docsPath(readSources(parseDocument("<p>Text"), "https://a.example/guide/install.html")) // ["guide", "install"]
 * ```
 */
export function docsPath({ document, pageUrl, structured }: PageSources): string[] {
  const visible = breadcrumbs(document, structured)
  if (visible.length > 0) return visible
  return new URL(pageUrl).pathname
    .split("/")
    .filter((part) => part !== "" && !/^index\.\w+$/.test(part))
    .map((part) => decodeURIComponentSafe(part.replace(/\.html?$/, "")))
}

function decodeURIComponentSafe(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The heading of the group of the navigation that lists the page. */
export function docsSection(document: Document, pageUrl: string): string | null {
  const base = baseUrl(document, pageUrl)
  const own = normaliseUrl(pageUrl)
  const headings = new Map<Element, string>()
  for (const link of navigationLinks(document)) {
    const url = absoluteUrl(link.getAttribute("href"), base)
    if (url === null || normaliseUrl(url) !== own) continue
    const list = link.closest("ul, ol")
    if (!list) continue
    const text = headings.get(list) ?? textBefore(list)
    headings.set(list, text)
    if (text !== "" && text.length <= 80 && text !== lineText(link)) return text
  }
  return null
}

/** The links of all navigation, those of one within another once. */
export function* navigationLinks(document: Document): Generator<Element> {
  for (const navigation of document.querySelectorAll(navigationSelector)) {
    if (navigation.parentElement?.closest(navigationSelector)) continue
    yield* navigation.querySelectorAll("a[href]")
  }
}

function textBefore(list: Element): string {
  const before = list.previousElementSibling
  return before && !before.querySelector("ul, ol") ? lineText(before) : ""
}

/** The languages of its code blocks, each once. */
export function codeLanguages(content: Element): string[] {
  const languages = [...content.getElementsByTagName("pre")].map(codeLanguage)
  return [...new Set(languages.filter((language) => language !== ""))]
}

export function neighbourPages(document: Document, pageUrl: string) {
  const base = baseUrl(document, pageUrl)
  const find = (relation: string, selector: string) =>
    linkOf(document, relation, base) ??
    absoluteUrl(document.querySelector(selector)?.getAttribute("href"), base)
  return {
    previous: find(
      "prev",
      "a[rel~=prev i], a.pagination-nav__link--prev, .pager-link.prev, a.md-footer__link--prev, " +
        ".mobile-nav-chapters.previous, a.nav-chapters.previous",
    ),
    next: find(
      "next",
      "a[rel~=next i], a.pagination-nav__link--next, .pager-link.next, a.md-footer__link--next, " +
        ".mobile-nav-chapters.next, a.nav-chapters.next",
    ),
  }
}

const editText = /^(?:edit|suggest (?:an )?edits?|improve|view source|view page source)\b.{0,40}$/i

/** Returns the URL at which the page's source can be edited. */
export function editUrl(document: Document, pageUrl: string): string | null {
  const base = baseUrl(document, pageUrl)
  for (const link of document.querySelectorAll("a[href]")) {
    const text = foldSpace(`${link.textContent ?? ""} ${link.getAttribute("title") ?? ""}`)
    const href = link.getAttribute("href")!
    const edits = /\/(?:edit|_edit|-\/edit)\//.test(href)
    if (edits || (editText.test(text) && /github|gitlab|bitbucket|codeberg|\/blob\//i.test(href))) {
      return absoluteUrl(href, base)
    }
  }
  return null
}

/** Returns the time at which the page was changed, if it states one. */
export function docsModified({ document, meta }: PageSources): string | null {
  const selector =
    ".git-revision-date, .git-revision-date-localized-plugin, .theme-last-updated time, " +
    ".VPLastUpdated time, footer time[datetime], main time[datetime], article time[datetime]"
  for (const element of document.querySelectorAll(selector)) {
    const date = pageDate(element.getAttribute("datetime")) ?? pageDate(textOf(element))
    if (date !== null) return date
  }
  return pageDate(metaContent(meta, "article:modified_time", "og:updated_time"))
}

/** Signs of a generator in pages whose meta does not name it. */
const generatorSigns: [name: string, sign: string | ((document: Document) => boolean)][] = [
  ["docusaurus", "#__docusaurus, .theme-doc-markdown"],
  ["vitepress", ".VPDoc, #VPContent, .vp-doc"],
  ["mkdocs", ".md-content, .bs-sidebar, script[src*='mkdocs']"],
  [
    "sphinx",
    ".sphinxsidebar, .rst-content, .toctree-wrapper, div.document .body, .sphinxsidebarwrapper",
  ],
  ["mdbook", "#mdbook-menu-bar, #menu-bar .menu-title, nav#sidebar .chapter"],
  ["gitbook", ".gitbook-root, .book-summary, [data-testid='page.contentEditor']"],
  ["starlight", "starlight-toc, .sl-markdown-content"],
  ["nextra", ".nextra-content, .nextra-toc"],
  ["mintlify", "#mintlify, .mintlify, [data-page-mode]"],
  [
    "antora",
    (document) =>
      document.querySelector(".nav-container[data-component]") !== null ||
      [...document.querySelectorAll("body.article .toolbar")].some((toolbar) =>
        toolbar.nextElementSibling?.matches(".content"),
      ),
  ],
  ["hugo", ".td-content, .td-sidebar"],
  ["javadoc", "[title='JavaDoc'], body.class-declaration-page, body.package-declaration-page"],
  ["docsify", "script[src*=docsify]"],
]

const anySign = generatorSigns
  .map(([, sign]) => (typeof sign === "string" ? sign : ".nav-container, body.article .toolbar"))
  .join()

/** Returns the comments before a page's head, and before its other elements. */
function firstComments({ documentElement, head }: Document): string[] {
  const texts: string[] = []
  for (let node = documentElement.firstChild; node && node !== head; node = node.nextSibling) {
    if (node.nodeType === 8) texts.push(node.nodeValue!)
  }
  for (let node = head.firstChild; node && texts.length < 10; node = node.nextSibling) {
    if (node.nodeType === 8) texts.push(node.nodeValue!)
  }
  return texts
}

export function docsGenerator({ document, meta }: PageSources): string | null {
  const named = metaContent(meta, "generator")
  if (named) return foldSpace(named)
  if (firstComments(document).some((text) => /^\s*Generated by javadoc/i.test(text))) {
    return "javadoc"
  }
  if (!document.querySelector(anySign)) return null
  const match = generatorSigns.find(([, sign]) =>
    typeof sign === "string" ? document.querySelector(sign) : sign(document),
  )
  return match?.[0] ?? null
}
