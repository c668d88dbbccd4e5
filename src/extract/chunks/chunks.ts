interface Chunk {
  /** Headings above it, from the top. */
  headings: string[]
  /** The fragment of its own heading, as Markdown's renderers make it; null before the first. */
  anchor: string | null
  markdown: string
  /** A rule of thumb: four characters a token. */
  tokenEstimate: number
}

const charactersPerToken = 4

/**
 * Returns Markdown in parts of at most `maxTokens` tokens: by headings, then by paragraphs, then by
 * lines. A code block or table stays whole if it fits; each part of a split table repeats its header.
 *
 * @example
 * ```ts
 * chunkMarkdown("# Tides\n\nHigh.\n\n# Winds\n\nLow.", 100).map(({ headings }) => headings) // [["Tides"], ["Winds"]]
 * ```
 */
export function chunkMarkdown(markdown: string, maxTokens: number): Chunk[] {
  const max = maxTokens * charactersPerToken
  return sections(markdown).flatMap(({ headings, anchor, blocks }) =>
    filled(
      blocks.flatMap((block) => partsOf(block, max)),
      max,
    ).map((text) => ({
      headings,
      anchor,
      markdown: text,
      tokenEstimate: Math.ceil(text.length / charactersPerToken),
    })),
  )
}

interface Section {
  headings: string[]
  anchor: string | null
  blocks: string[]
}

function sections(markdown: string): Section[] {
  const all: Section[] = [{ headings: [], anchor: null, blocks: [] }]
  const path: { level: number; text: string }[] = []
  const anchors = new Map<string, number>()
  for (const block of blocksOf(markdown)) {
    const heading = /^(#{1,6}) +(.+)$/.exec(block)
    if (heading) {
      const level = heading[1]!.length
      while (path.length > 0 && path.at(-1)!.level >= level) path.pop()
      path.push({ level, text: plain(heading[2]!) })
      const headings = path.map(({ text }) => text)
      all.push({ headings, anchor: anchorOf(headings.at(-1)!, anchors), blocks: [] })
    }
    all.at(-1)!.blocks.push(block)
  }
  return all.filter(({ blocks }) => blocks.length > 0)
}

/** Splits Markdown at blank lines; a fenced block stays whole. */
function blocksOf(markdown: string): string[] {
  const blocks: string[] = []
  let lines: string[] = []
  let fence = ""
  const end = () => {
    if (lines.length > 0) blocks.push(lines.join("\n"))
    lines = []
  }
  for (const line of markdown.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? ""
    if (fence === "" && line.trim() === "") {
      end()
      continue
    }
    const isHeading = fence === "" && /^#{1,6} /.test(line)
    if (isHeading) end()
    lines.push(line)
    if (isHeading) end()
    if (fence === "") fence = mark
    else if (mark.startsWith(fence) && line.trim() === mark) fence = ""
  }
  end()
  return blocks
}

/** Joins blocks as long as they fit; a heading is not left alone at an end. */
function filled(blocks: string[], max: number): string[] {
  const texts: string[] = []
  let text = ""
  for (const block of blocks) {
    const isHead = /^#{1,6} [^\n]*$/.test(text)
    if (text !== "" && !isHead && text.length + 2 + block.length > max) {
      texts.push(text)
      text = block
    } else text = text === "" ? block : `${text}\n\n${block}`
  }
  if (text !== "") texts.push(text)
  return texts
}

function partsOf(block: string, max: number): string[] {
  if (block.length <= max) return [block]
  const lines = block.split("\n")
  const fence = /^\s*(`{3,}|~{3,})/.exec(lines[0]!)?.[1]
  if (fence) {
    const head = `${lines[0]}\n`
    const available = Math.max(1, max - head.length - fence.length - 1)
    return packed(lines.slice(1, -1), available).map((part) => `${head}${part}\n${fence}`)
  }
  if (/^\|(?: *:?-+:? *\|)+$/.test(lines[1] ?? "")) {
    const head = `${lines[0]}\n${lines[1]}\n`
    const room = Math.max(1, max - head.length)
    return packed(lines.slice(2), room).map((part) => `${head}${part}`)
  }
  return packed(lines, max)
}

/** Lines in as few parts as hold them; one that is too long alone is cut between words. */
function packed(lines: string[], max: number): string[] {
  const parts: string[] = []
  let part = ""
  for (const line of lines.flatMap((text) => cut(text, max))) {
    if (part !== "" && part.length + 1 + line.length > max) {
      parts.push(part)
      part = line
    } else part = part === "" ? line : `${part}\n${line}`
  }
  return part === "" ? parts : [...parts, part]
}

/** Cuts after a sentence if one ends in the later half, else after a word. */
function cut(line: string, max: number): string[] {
  const parts: string[] = []
  let from = 0
  while (line.length - from > max) {
    const piece = line.slice(from, from + max)
    const sentence = Math.max(
      piece.lastIndexOf(". "),
      piece.lastIndexOf("? "),
      piece.lastIndexOf("! "),
    )
    const position = sentence > max / 2 ? sentence + 1 : piece.lastIndexOf(" ")
    const end = position > max / 4 ? position : max
    parts.push(piece.slice(0, end).trimEnd())
    from += end
    while (line[from] === " ") from++
  }
  return [...parts, line.slice(from)].filter((part) => part !== "")
}

/** A heading without marks and the URLs of links. */
const plain = (text: string) =>
  text
    .replace(/!?\[([^\]]{0,1000})\]\([^)]{0,2000}\)/g, "$1")
    .replace(/[*`]|\\(?=[^\w\s])/g, "")
    .replace(/ +#+ *$/, "")
    .trim()

function anchorOf(heading: string, known: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "")
    .replaceAll(" ", "-")
  const count = known.get(slug) ?? 0
  known.set(slug, count + 1)
  return count === 0 ? slug : `${slug}-${count}`
}
