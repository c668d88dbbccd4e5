import { parseLoose } from "../../extract/embedded/index.ts"

/** The puzzle's solution is below this number. */
const maxTries = 1_000_000

interface Puzzle {
  v?: { a?: string; c?: string }
  [field: string]: unknown
}

/** Returns whether a page is TikTok's puzzle for clients without the right cookie. */
export const isPuzzle = (document: Document) => document.querySelector("#cs") !== null

/**
 * Returns the cookies that a puzzle page requires. The page has a salt and the hash of the salt
 * followed by a number, which is the solution. Null if the page is not a puzzle of this kind.
 */
export function solvePuzzle(document: Document): Record<string, string> | null {
  const words = (id: string) => document.querySelector(id)?.getAttribute("class")?.trim() ?? ""
  const puzzle = parseLoose(Buffer.from(words("#cs"), "base64").toString()) as Puzzle | undefined
  const name = words("#wci")
  if (!name || !puzzle?.v?.a || !puzzle.v.c) return null
  const response = findNumber(Buffer.from(puzzle.v.a, "base64"), Buffer.from(puzzle.v.c, "base64"))
  if (response === null) return null
  const solved = { ...puzzle, d: Buffer.from(String(response)).toString("base64") }
  const cookies = { [name]: Buffer.from(JSON.stringify(solved)).toString("base64") }
  const [originName, origin] = [words("#rci"), words("#rs")]
  return originName && origin ? { ...cookies, [originName]: origin } : cookies
}

function findNumber(salt: Buffer, wanted: Buffer): number | null {
  const text = Buffer.alloc(salt.length + String(maxTries).length)
  salt.copy(text)
  const hash = new Uint8Array(32)
  for (let number = 0; number <= maxTries; number++) {
    const length = text.write(String(number), salt.length, "ascii")
    // biome-ignore lint/style/noRestrictedGlobals: a hash needs no I/O, and up to a million may be needed
    Bun.SHA256.hash(text.subarray(0, salt.length + length), hash)
    if (hash[0] === wanted[0] && wanted.equals(hash)) return number
  }
  return null
}
