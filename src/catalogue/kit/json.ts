import { messageOf } from "../../base/error-message.ts"
import { briefText } from "./brief.ts"

/** Maximum depth of lists and objects. Inputs need only a few levels. */
const deepest = 64

/**
 * Returns a user's JSON. Its depth is limited, for readers that use recursion. Throws SyntaxError
 * with a short message if it is not JSON or nested too deep.
 * @example parseJson('{"a": [1]}') // { a: [1] }
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new SyntaxError(`it is nested more than ${deepest} levels deep`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's own message repeats the whole invalid text, whatever its length.
    throw new SyntaxError(briefText(messageOf(error), 200))
  }
}

const quote = 0x22
const backslash = 0x5c

/**
 * Returns whether a text has too many levels. It is checked before parsing, because parsing deep
 * JSON can exhaust the stack.
 */
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

/** Returns the position of the quotation mark that ends the text that starts at `start`. */
function endOfText(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === quote) break
    index += code === backslash ? 2 : 1
  }
  return index
}
