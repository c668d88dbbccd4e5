import { messageOf } from "../../base/error-message.ts"
import { briefText } from "./brief.ts"

/** Maximum depth of lists and objects; inputs need only a few levels. */
const deepest = 64

/**
 * Returns a user's JSON, with a bounded depth for readers that use recursion.
 * Throws SyntaxError with a short message, also if it is nested too deep.
 * @example parseJson('{"a": [1]}') // { a: [1] }
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new SyntaxError(`it is nested more than ${deepest} levels deep`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's own message repeats the text that it failed at, whatever its length.
    throw new SyntaxError(briefText(messageOf(error), 200))
  }
}

const quote = 0x22
const backslash = 0x5c

/** Checked in the text: parsing deep JSON would itself be the harm. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === quote) index = endOfText(text, index)
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > deepest) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/** Returns the position of the quotation mark that ends the text started at `start`. */
function endOfText(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === quote) break
    index += code === backslash ? 2 : 1
  }
  return index
}
