import { mathOfXml } from "./omml.ts"
import { escaped, nestedTooDeep } from "./pages/document-page.ts"

const token = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)/gi
/** Elements whose text is the value of a property. */
const valued = /^(?:(?:beg|end|sep)?[cC]hr|(?:sub|sup|deg)Hide|pos|type)$/

const maxDepth = 500

interface Group {
  /** The element that the group represents; "" for none. */
  name: string
  /** The value of a property. */
  value: string
}

/**
 * Returns the equation of a Rich Text document's `moMath` group as MathML. Its words are the elements of
 * OMML after an "m".
 *
 * @param start The start of the group's content.
 * @returns `html`, and `end`: the position of the group's closing brace.
 */
export function rtfMath(source: string, start: number): { html: string; end: number } {
  const tokens = new RegExp(token)
  tokens.lastIndex = start
  const groups: Group[] = [{ name: "oMath", value: "" }]
  let xml = ""
  let end = source.length
  let isOpened = false
  let skip = 0
  const write = (text: string) => {
    const left = text.slice(skip)
    skip = Math.max(0, skip - text.length)
    const group = groups.findLast(({ name }) => name !== "")
    if (left === "" || !group) return
    if (valued.test(group.name)) group.value += left
    else if (group.name === "r") xml += `<m:t>${escaped(left)}</m:t>`
    else if (left.trim() !== "") xml += `<m:r><m:t>${escaped(left)}</m:t></m:r>`
  }
  const close = ({ name, value }: Group) => {
    if (valued.test(name)) xml += `<m:${name} m:val="${escaped(value)}"/>`
    else if (name !== "") xml += `</m:${name}>`
  }
  for (let match = tokens.exec(source); match; match = tokens.exec(source)) {
    const [whole, word, number, hex, sign, brace, text] = match
    const wasOpened = isOpened
    isOpened = brace === "{"
    if (brace === "{") {
      if (groups.push({ name: "", value: "" }) > maxDepth) throw nestedTooDeep()
    } else if (brace === "}") {
      if (groups.length === 1) {
        end = tokens.lastIndex - whole.length
        break
      }
      close(groups.pop()!)
    } else if (word === "u" && number !== undefined) {
      write(String.fromCharCode(Number(number) & 0xffff))
      skip = 1
    } else if (word?.startsWith("m") && wasOpened && word.length > 1) {
      groups.at(-1)!.name = word.slice(1)
      if (!valued.test(word.slice(1))) xml += `<m:${word.slice(1)}>`
    } else if (hex !== undefined) write(String.fromCharCode(Number.parseInt(hex, 16)))
    else if (sign !== undefined && /[\\{}]/.test(sign)) write(sign)
    else if (text !== undefined) write(text)
  }
  while (groups.length > 0) close(groups.pop()!)
  return { html: mathOfXml(`<m:oMath>${xml}`, "m"), end }
}
