import { isHidden } from "../core/index.ts"
import type { PageLink } from "./page-links.ts"

/** How far out of the window a link is that no visitor is to see. */
const farAway =
  /(?:^|;)\s*(?:left|right|top|bottom|margin-left|margin-top|text-indent)\s*:\s*-\s*\d{3,}(?:px|em|rem|vw|vh|%)?/i
/** Menus are hidden until they are opened; what is in them is for visitors. */
const opens = "nav, header, details, dialog, menu, [role=navigation], [role=menu], [role=tabpanel]"
const visible = "img, svg, picture, video, object, i, span, input"

/**
 * Whether a crawler may go where a link leads: not where its page asks not to (`nofollow`), unless the
 * caller wants it, and not by links that no visitor sees. These are there to find out robots.
 */
export function mayFollow({ rel, element }: PageLink, nofollowToo = false): boolean {
  return (nofollowToo || !rel.includes("nofollow")) && !isTrap(element)
}

function isTrap(link: Element): boolean {
  if (link.localName !== "a") return false
  if (isEmpty(link) || isOutOfReach(link)) return true
  let isHiding = false
  for (let at: Element | null = link; at; at = at.parentElement) {
    isHiding ||= isHidden(at) || farAway.test(at.getAttribute("style") ?? "")
    if (isHiding) break
  }
  return isHiding && link.closest(opens) === null
}

/** Neither by the eye nor by the keyboard. */
const isOutOfReach = (link: Element) =>
  link.getAttribute("aria-hidden") === "true" && link.getAttribute("tabindex")?.trim() === "-1"

function isEmpty(link: Element): boolean {
  if (/\S/.test(link.textContent ?? "") || link.querySelector(visible) !== null) return false
  // A page that is cut off within a link has its words no more.
  if (isLast(link)) return false
  return !["aria-label", "title", "aria-labelledby", "class"].some((name) =>
    link.getAttribute(name),
  )
}

function isLast(element: Element): boolean {
  for (let at: Element | null = element; at; at = at.parentElement) if (at.nextSibling) return false
  return true
}
