import { messageOf } from "../../base/error-message.ts"
import { briefText } from "./brief.ts"

/** Lists and objects inside each other; nothing that is asked for here needs more than a few. */
const deepest = 64

/**
 * A caller's JSON. What reads it afterwards may go down it by recursion.
 * @throws SyntaxError with a short message, also when it is nested too deep.
 */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) {
    throw new SyntaxError(`it is nested more than ${deepest} levels deep`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    // The parser's own message repeats what it stumbled over, however long.
    throw new SyntaxError(briefText(messageOf(error), 200))
  }
}

const quote = 0x22
const backslash = 0x5c

/** Judged by the text: parsing what is too deep would itself be the harm. */
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

/** The place of the quotation mark that ends the text begun at `start`. */
function endOfText(text: string, start: number): number {
  let index = start + 1
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === quote) break
    index += code === backslash ? 2 : 1
  }
  return index
}
