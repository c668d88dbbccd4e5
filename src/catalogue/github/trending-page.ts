import { plainText } from "../../extract/core/index.ts"
import { css } from "../kit/index.ts"

const contributor = 'a[data-hovercard-type="user"] img[alt^="@"]'
/** Images of a repository's contributors. */
export const contributorsOf = (row: Element) => [...row.querySelectorAll(contributor)]

export const languageColor = (row: Element) =>
  /background-color:\s*([^;]+)/.exec(css(".repo-language-color", "style")(row) ?? "")?.[1]?.trim()

export const starsGained = (row: Element) =>
  /(?<![\d,])([\d,]+) stars? (?:today|this week|this month)/.exec(plainText(row) ?? "")?.[1]

export function isOfAll(page: Document): boolean {
  const reported = css('link[rel="canonical"]', "href")(page) ?? page.title
  return /\/trending\/?(?:\?.*)?$|^\s*trending\s+repositories\b/i.test(reported)
}

/** Returns owner and name from the URL of a repository. */
export const namesOf = (href: string | null | undefined) =>
  URL.parse(href ?? "", "https://github.com")
    ?.pathname.slice(1)
    .split("/") ?? []
