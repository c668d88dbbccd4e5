const permalinkClasses = new Set([
  "headerlink",
  "header-anchor",
  "anchor",
  "permalink",
  "anchorjs-link",
  "hash-link",
])
const editClasses = new Set(["mw-editsection", "editsection"])

/** What stands beside a heading and is no part of it: a link to itself, a link to edit it. */
export function isPermalink(element: Element): boolean {
  if (element.localName !== "a" && element.localName !== "span") return false
  const classes = (element.getAttribute("class") ?? "").split(/\s+/)
  if (classes.some((name) => editClasses.has(name))) return true
  if (element.localName !== "a") return false
  const text = element.textContent!.trim()
  if (/^(?:[#¶§∞🔗⚓]|)$/u.test(text)) {
    return (element.getAttribute("href") ?? "").includes("#") && !element.querySelector("img[alt]")
  }
  return text.length <= 2 && classes.some((name) => permalinkClasses.has(name))
}
