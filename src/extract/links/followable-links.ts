import { isHidden } from "../core/index.ts"
import type { PageLink } from "./page-links.ts"

/** Offsets that move a link far out of the window, so that visitors do not see it. */
const farAway =
  /(?:^|;)\s*(?:left|right|top|bottom|margin-left|margin-top|text-indent)\s*:\s*-\s*\d{3,}(?:px|em|rem|vw|vh|%)?/i
/** Menus are hidden until they are opened; their links are for visitors. */
const opens = "nav, header, details, dialog, menu, [role=navigation], [role=menu], [role=tabpanel]"
const visible = "img, svg, picture, video, object, i, span, input"

/**
 * Returns whether a crawler may follow a link. Links with `nofollow` are not followed, unless the caller
 * wants it, and neither are links that visitors do not see: these are traps for robots.
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
