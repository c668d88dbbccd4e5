import { parseDocument } from "../core/index.ts"

/** Returns whether a page is docsify's, which renders Markdown files in the browser. */
export const isDocsify = (html: string) =>
  /window\.\$docsify\b|<script[^>]+src=["'][^"']*\bdocsify(?:\.min)?\.js/i.test(html)

/** The file of a route: `#/guide` is guide.md, a folder has a README.md. */
export function docsifyFile(route: string, folder: string): string {
  const path = route
    .replace(/^.*#\//, "")
    .replace(/^\/+/, "")
    .replace(/[?#].*$/s, "")
  const file =
    path === "" || path.endsWith("/") ? `${path}README.md` : path.replace(/(?:\.md)?$/, ".md")
  return new URL(file, folder).href
}

/** The URL at which readers find a file. */
export function docsifyRoute(file: string, folder: string): string {
  const path = file.slice(folder.length).replace(/(?:README)?\.md$/, "")
  return `${folder}#/${path}`
}

/** The files that a Markdown file links to, in order, each once. */
export function docsifyLinks(markdown: string, folder: string): string[] {
  const targets = [...markdown.matchAll(/(?<!!)\[[^\]\n]{0,300}\]\(\s*<?([^)\s>]+)/g)].map(
    (link) => link[1]!,
  )
  const routes = targets.filter((target) => !/^[a-z][a-z0-9+.-]*:|^\/\/|^#(?!\/)/i.test(target))
  const pages = routes.filter((route) => !/\.(?!md\b)[a-z0-9]{2,5}(?:[?#]|$)/i.test(route))
  return [...new Set(pages.map((route) => docsifyFile(route, folder)))]
}

/** A Markdown file as the page that docsify renders. */
export const markdownDocument = (markdown: string) =>
  parseDocument(Bun.markdown.html(markdown, { tables: true }))
