import { baseUrl, blockText, blockTextLength } from "../core/index.ts"
import { cleanCopy, contentCopy } from "./content-copy.ts"
import { embeddedBody } from "./embedded-body.ts"
import type { PageType } from "./reading/page-type.ts"
import { chosenContent } from "./reading/reading.ts"
import { StatedSteps } from "./stated-steps.ts"
import { dropOrphanHeadings } from "./text/content-lines.ts"

export interface MainContent {
  /** In a copy of the page, so it may be changed; links and images are absolute. */
  root: Element
  pageType: PageType | null
  /** The page shows next to nothing of it, and hands it to its scripts. */
  isEmbedded?: true
}

/** Shorter text is rarely the content: the page is an app shell. */
const shellTextChars = 250

/** Returns the main content of a page; of an app shell, the content that its scripts receive. */
export function mainContent(document: Document, pageUrl: string): MainContent {
  const visible = visibleContent(document, pageUrl)
  const isShort = () => blockTextLength(visible.root, shellTextChars) < shellTextChars
  const body = visible.isWhole || isShort() ? embeddedBody(document, pageUrl) : null
  if (!body || blockText(body).length <= blockText(visible.root).length) return visible
  cleanCopy(body, baseUrl(document, pageUrl))
  return { root: body, pageType: visible.pageType, isEmbedded: true }
}

function visibleContent(document: Document, pageUrl: string): MainContent & { isWhole?: true } {
  const { root, pageType } = chosenContent(document, pageUrl, new StatedSteps(document))
  if (!root) return { root: wholeBody(document, pageUrl), pageType, isWhole: true }
  cleanCopy(root, baseUrl(document, pageUrl))
  dropOrphanHeadings(root)
  return { root, pageType }
}

const navigation =
  "nav, header, footer, aside, [role=navigation], [role=banner], " +
  "[role=contentinfo], [role=search], [role=menu]"
const dialogs = "dialog, [role=dialog], [role=alertdialog]"

/** All of a page but its navigation. */
function wholeBody(document: Document, pageUrl: string): Element {
  const { body } = contentCopy(document, pageUrl)
  dropAround(body, navigation)
  dropDialogs(body)
  // Afterwards, because a form may be all that is left without the navigation.
  dropAround(body, "form")
  return body
}

/** Removes dialogs, unless a dialog is all of the page: the settings of cookies may be most of its text. */
function dropDialogs(root: Element): void {
  for (const dialog of [...root.querySelectorAll(dialogs)]) {
    if (!root.contains(dialog)) continue
    const rest = blockText(root).length - blockText(dialog).length
    if (rest >= shellTextChars) dialog.remove()
  }
}

/** Removes the matches of the selector; a form or header with most of the text is the content. */
function dropAround(root: Element, selector: string): void {
  const total = blockText(root).length
  for (const element of [...root.querySelectorAll(selector)]) {
    if (isOfEntry(element) || !root.contains(element)) continue
    if (blockText(element).length <= total / 2) element.remove()
  }
}

/** The header or footer of one of several entries. */
function isOfEntry(element: Element): boolean {
  if (element.localName !== "header" && element.localName !== "footer") return false
  const entry = element.closest("li, article")
  return (
    entry !== null &&
    [entry.previousElementSibling, entry.nextElementSibling].some(
      (sibling) => sibling?.localName === entry.localName,
    )
  )
}
