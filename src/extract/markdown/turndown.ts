import Turndown from "turndown/lib/turndown.browser.es.js"
import { isBlock } from "../core/index.ts"
import { bracketsPair, escapeLineStart, escapeText, linkDestination } from "./escape.ts"
import { prepareTree, writtenMark } from "./turndown-tree.ts"

/** Turndown with GFM, in the style of our page writer. */
export function turndown(root: HTMLElement, base: string): string {
  prepareTree(root, base)
  const service = new Turndown({
    headingStyle: "atx",
    hr: "---",
    bulletListMarker: "-",
    emDelimiter: "*",
    // An empty item would part its list in two.
    blankReplacement: (_, node) => (isBlock(node) && node.localName !== "li" ? "\n\n" : ""),
  })
  service.escape = escapeAnywhere
  service.addRule("heading", { filter: ["h1", "h2", "h3", "h4", "h5", "h6"], replacement: heading })
  service.addRule("strong", { filter: ["strong", "b"], replacement: marked("**") })
  service.addRule("emphasis", { filter: ["em", "i"], replacement: marked("*") })
  service.addRule("struck", { filter: ["del", "s", "strike" as "s"], replacement: marked("~~") })
  service.addRule("shifted", { filter: ["sup", "sub"], replacement: shifted })
  service.addRule("break", { filter: "br", replacement: lineBreak })
  service.addRule("quote", { filter: "blockquote", replacement: quote })
  service.addRule("list", { filter: ["ul", "ol"], replacement: list })
  service.addRule("item", { filter: "li", replacement: itemWriter() })
  service.addRule("link", { filter: isLink, replacement: link })
  service.addRule("box", { filter: "input", replacement: box })
  service.addRule("written", { filter: isWritten, replacement: asWritten })
  return service.turndown(root)
}

const isLink = (element: HTMLElement) => element.localName === "a" && element.hasAttribute("href")
const isWritten = (element: HTMLElement) => element.hasAttribute(writtenMark)

function asWritten(_: string, element: HTMLElement): string {
  const text = element.getAttribute(writtenMark)!
  return isBlock(element) ? `\n\n${text}\n\n` : text
}

function box(_: string, element: HTMLElement): string {
  const isFirst = element.previousSibling === null && element.parentElement?.localName === "li"
  if (!isFirst || element.getAttribute("type")?.toLowerCase() !== "checkbox") return ""
  const isSpaced = element.nextSibling?.nodeValue?.startsWith(" ")
  return `[${element.hasAttribute("checked") ? "x" : " "}]${isSpaced ? "" : " "}`
}

/** Neighbours are not known here, so that signs at the ends of a text are taken for markup. */
const anywhere = { before: ".", after: ".", inTable: false, linkFollows: false, inLink: true }

function escapeAnywhere(text: string): string {
  const escaped = escapeText(text, { ...anywhere, escapeBrackets: !bracketsPair(text) })
  return /^(?:#|:\s*)$/.test(text) ? escaped : escapeLineStart(escaped)
}

const oneLine = (text: string) => text.replaceAll("\\\n", " ").replace(/\n+ */g, " ").trim()

function heading(content: string, element: HTMLElement): string {
  const text = oneLine(content).replace(/(^|\s)(#+)$/, "$1\\$2")
  return text === "" ? "" : `\n\n${"#".repeat(Number(element.localName[1]))} ${text}\n\n`
}

/** A mark ends with its paragraph, so that one around several is left out. */
const marked = (mark: string) => (content: string) =>
  content.trim() === "" || content.includes("\n\n") ? content : `${mark}${content}${mark}`

/** A note's mark is just a link. */
const shifted = (content: string, { localName }: HTMLElement) =>
  content.startsWith("[") || content.trim() === ""
    ? content
    : `<${localName}>${content}</${localName}>`

/** Two breaks make a paragraph; a break next to a block, or at its end, is ignored. */
function lineBreak(_: string, element: HTMLElement): string {
  if (element.closest("h1, h2, h3, h4, h5, h6")) return " "
  return breaksLine(element.previousSibling) && breaksLine(element.nextSibling) ? "\\\n" : "\n\n"
}

const breaksLine = (sibling: ChildNode | null) =>
  sibling !== null &&
  (sibling.nodeType !== 1 ||
    !(isBlock(sibling as Element) || (sibling as Element).localName === "br"))

const quote = (content: string) =>
  `\n\n${content.trim().replace(/^/gm, "> ").replace(/^> $/gm, ">")}\n\n`

function list(content: string, element: HTMLElement): string {
  const parent = element.parentElement?.localName
  // Some pages write a nested list next to the item that it belongs to.
  if (parent === "ul" || parent === "ol") return `\n${indented(content.trim(), "  ")}\n`
  return parent === "li" && element.nextElementSibling === null
    ? `\n${content.trim()}\n`
    : `\n\n${content}\n\n`
}

const indented = (text: string, indent: string) => text.replace(/^(?=.)/gm, indent)

/** Items are numbered as they come: asking each for its index takes quadratic time. */
function itemWriter() {
  const numbers = new Map<Element | null, number>()
  return (content: string, element: HTMLElement): string => {
    const list = element.parentElement
    let marker = "- "
    if (list?.localName === "ol") {
      const number =
        numbers.get(list) ?? (Number.parseInt(list.getAttribute("start") ?? "", 10) || 1)
      numbers.set(list, number + 1)
      marker = `${Math.abs(number)}. `
    }
    return `\n${marker}${indented(content.trim(), " ".repeat(marker.length)).trimStart()}\n`
  }
}

function link(content: string, element: HTMLElement): string {
  const text = oneLine(content)
  if (text === "") return ""
  const before = element.previousSibling
  const isImage = before?.nodeType === 3 && before.nodeValue?.endsWith("!")
  return `${isImage ? " " : ""}[${text}](${linkDestination(element.getAttribute("href")!)})`
}
