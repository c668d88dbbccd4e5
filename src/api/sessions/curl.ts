/** What a copied cURL command requests. */
export interface CurlRequest {
  url: string | null
  /** The header Cookie; null if it has none. */
  cookies: string | null
}

const cookieOptions = new Set(["-b", "--cookie"])
const headerOptions = new Set(["-H", "--header"])
/** Options without a value. */
const flags =
  /^(?:--compressed|--location|--insecure|--silent|--head|--globoff|--http[\d.]+|-[skLiIgvG]+)$/

/** Reads a command that a browser has copied, for a POSIX shell or for Windows. */
export function curlRequest(command: string): CurlRequest {
  let url: string | null = null
  const cookies: string[] = []
  const words = wordsOf(command).slice(1)
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (!word.startsWith("-")) {
      url ??= word
    } else if (headerOptions.has(word)) {
      const [, value] = /^cookie:\s*(.*)$/is.exec(words[++at] ?? "") ?? []
      if (value !== undefined) cookies.push(value)
    } else if (cookieOptions.has(word)) {
      cookies.push(words[++at] ?? "")
    } else if (word === "--url") {
      url = words[++at] ?? null
    } else if (!flags.test(word)) {
      at++
    }
  }
  return { url, cookies: cookies.length > 0 ? cookies.join("; ") : null }
}

/** The words of a command line, with their quotes and escapes resolved. */
function wordsOf(command: string): string[] {
  // On Windows, browsers escape each special character with a caret.
  const isWindows = /\^\s*\r?\n|\^"/.test(command)
  const text = isWindows
    ? command.replace(/\^\s*\r?\n/g, " ").replace(/\^(.)/gs, "$1")
    : command.replace(/\\\r?\n/g, " ")
  const words: string[] = []
  const part =
    /\$'((?:[^'\\]|\\.)*)'|'([^']*)'|"((?:[^"\\]|\\.)*)"|((?:[^\s'"\\$]|\\.|\$(?!'))+)|(\s+)/gsy
  let word: string | null = null
  for (let match = part.exec(text); match; match = part.exec(text)) {
    const [, ansi, single, double, plain] = match
    const piece =
      ansi !== undefined
        ? unescaped(ansi)
        : (single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? plain?.replace(/\\(.)/gs, "$1"))
    if (piece !== undefined) word = (word ?? "") + piece
    else if (word !== null) {
      words.push(word)
      word = null
    }
  }
  if (word !== null) words.push(word)
  return words
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t" }

/** The escapes of $'…', of which browsers use these. */
const unescaped = (text: string) =>
  text.replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|(.))/gis, (_, unicode, hex, other) =>
    unicode || hex
      ? String.fromCharCode(Number.parseInt(unicode ?? hex, 16))
      : (escapes[other] ?? other),
  )
