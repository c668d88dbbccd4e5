/**
 * The prose lint: fails on phrases that readers have to decode, in comments, strings and JSX of the
 * sources, tests, scripts and benchmarks, and in Markdown. `bun scripts/lint-words.ts [path…]` checks
 * these files only, and `--count` prints how often each phrase occurs instead of where.
 *
 * @example
 * ```sh
 * bun scripts/lint-words.ts src/engine README.md
 * ```
 */
import { join, relative } from "node:path"
import { Glob } from "bun"
import ts from "typescript5"

const root = join(import.meta.dir, "..")

interface Phrase {
  pattern: RegExp
  instead: string
}

/** Phrases that are never right. Each is matched within one comment, string or paragraph. */
const phrases: Phrase[] = [
  { pattern: /\b(?:told|tells?)\b/i, instead: "report, return, notify, contain" },
  { pattern: /\bstands?\b(?! (?:for|out|alone|still)\b)/i, instead: "is, is stored in, remains" },
  { pattern: /\b(?:it|they|that|which|what) lies?\b|\blies in\b/i, instead: "is, is stored in" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bin place of\b/i, instead: "instead of" },
  { pattern: /\bbeside\b/i, instead: "next to, in addition to" },
  { pattern: /\bby (?:itself|themselves)\b/i, instead: "automatically, on its own" },
  { pattern: /\b(?:nobody|somebody|whoever)\b/i, instead: "no one, a user, the client that" },
  { pattern: /\bstrangers?\b/i, instead: "anonymous caller, untrusted author" },
  { pattern: /\bunder way\b/i, instead: "running, in progress" },
  { pattern: /\btaken up\b/i, instead: "resumed" },
  { pattern: /\b(?:leads?|reads) on\b/i, instead: "redirects, returns the next page" },
  { pattern: /\bgoes on\b/i, instead: "continues" },
  { pattern: /\b(?:bot )?walls?\b/i, instead: "challenge, bot protection" },
  { pattern: /\bways? in\b(?! which)/i, instead: "fetch method" },
  { pattern: /\b(?:is|are) over\b(?! \d)/i, instead: "has finished, has expired" },
  { pattern: /\bso many\b/i, instead: "N, the given number of" },
  { pattern: /\bapart by\b|\bparted by\b/i, instead: "separated by" },
  { pattern: /\bcanar(?:y|ies)\b/i, instead: "health probe" },
  { pattern: /(?<!\bthere )\bis no (?!longer|more|less|other|such)[a-z]+\b/i, instead: "is not a" },
  { pattern: /\bwhere (?:it|they|there|nothing|none|one|no)\b/i, instead: "if, when" },
  { pattern: /(?:^|[.:] )Most [a-z]+s\b/, instead: "Maximum" },
]

/** The phrases without a condition on their position in a comment or string. */
const anywhere = phrases.map(
  ({ pattern }) => new RegExp(pattern.source.replace("(?:^|[.:] )", ""), pattern.flags),
)

/** Whether a source can contain a phrase. Only these sources are parsed, which takes most of the time. */
function mayMatch(source: string): boolean {
  const text = source.replace(/\s+(?:\*|\/\/)?\s*/g, " ")
  return anywhere.some((pattern) => pattern.test(text))
}

/** Text that is quoted from a site, a page or a language, by file and the reason. */
const quoted: [file: RegExp, reason: string][] = [
  [/^(?:scripts|test\/scripts)\/lint-words(?:\.test)?\.ts$/, "names the phrases"],
  [/^scripts\/code-figures\.ts$/, "names the replaced words"],
  [/^src\/store\/migrations\//, "names columns and values of earlier schemas"],
  [/^src\/catalogue\/search-words\.ts$/, "words that users search with"],
  [/^src\/extract\/article\/text\/words\.ts$/, "German and English words that pages write"],
  [/^src\/extract\/metadata\/text\/words\.ts$/, "German words that pages write"],
  [/^src\/extract\/metadata\/candidates\/date-candidates\.ts$/, "German words that pages write"],
]

/** Tests whose strings are texts of pages, or names of cases and users. Only their comments are checked. */
const fixtures: RegExp[] = [
  /^test\/extract\/(?:article|documents|page)\//,
  /^test\/catalogue\/harmless\.test\.ts$/,
  /^test\/api\/agent-tasks\.ts$/,
  /^test\/postgres\.ts$/,
]

interface Piece {
  text: string
  position: number
  isComment?: boolean
}

/** The comments, strings, templates and JSX text of a source file. */
function prosePieces(path: string, source: string): Piece[] {
  if (!mayMatch(source)) return []
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false, kind)
  const pieces: Piece[] = []
  const comments = new Set<number>()
  const addComments = (position: number) => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(source, position) ?? []),
      ...(ts.getTrailingCommentRanges(source, position) ?? []),
    ]
    for (const { pos, end } of ranges) {
      if (comments.has(pos)) continue
      comments.add(pos)
      // Lines are joined, because a phrase may continue on the next line. Positions stay the same.
      const text = source
        .slice(pos, end)
        .replace(/\n\s*(?:\*|\/\/)/g, (line) => " ".repeat(line.length))
      pieces.push({
        text: text.replace(/ {2,}/g, (gap) => ` ${"\0".repeat(gap.length - 1)}`),
        position: pos,
        isComment: true,
      })
    }
  }
  const visit = (node: ts.Node): void => {
    addComments(node.pos)
    addComments(node.end)
    if (
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isJsxText(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node)
    ) {
      pieces.push({
        text: source.slice(node.getStart(file), node.end),
        position: node.getStart(file),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return pieces
}

/** The paragraphs of a Markdown file, without code. */
function paragraphs(source: string): Piece[] {
  const blank = (match: string) => match.replace(/[^\n]/g, " ")
  const prose = source.replace(/^```[\s\S]*?^```/gm, blank).replace(/`[^`\n]*`/g, blank)
  const pieces: Piece[] = []
  for (const match of prose.matchAll(/[^\n]+(?:\n[^\n]+)*/g)) {
    pieces.push({ text: match[0].replaceAll("\n", " "), position: match.index })
  }
  return pieces
}

const maxWords = 35

/** The sentences of a Markdown file that are too long, or start with a clause with "What". Tables are left out. */
function hardSentences(source: string): Piece[] {
  const blank = (match: string) => match.replace(/[^\n]/g, " ")
  const prose = source
    .replace(/^ *```[\s\S]*?^ *```/gm, blank)
    .replace(/^ *\|.*$/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank)
  const pieces: Piece[] = []
  // A heading, a list item and a paragraph each start a new sentence.
  for (const block of prose.matchAll(/[^\n]+(?:\n(?! *(?:[-*#]|\d+\.) )[^\n]*\S[^\n]*)*/g)) {
    for (const { 0: text, index } of block[0].matchAll(/\S[\s\S]*?(?:[.!?:](?=\s|$)|$)/g)) {
      const words =
        text.replace(/\]\([^)]*\)/g, "]").match(/[\p{L}\p{N}][\p{L}\p{N}'’./-]*/gu) ?? []
      const isOpener = /^What\b[^?]*$/.test(text)
      if (words.length > maxWords || isOpener) pieces.push({ text, position: block.index + index })
    }
  }
  return pieces
}

const isCounting = process.argv.includes("--count")
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const patterns = [
  "src/**/*.{ts,tsx}",
  "scripts/**/*.ts",
  "bench/**/*.ts",
  "test/**/*.{ts,tsx}",
  "docs/**/*.md",
  "packages/**/*.{ts,md}",
  "*.md",
]
const counts = new Map<string, number>()
let hits = 0
for (const pattern of patterns) {
  for (const name of new Glob(pattern).scanSync(root)) {
    if (name.includes("node_modules/") || quoted.some(([file]) => file.test(name))) continue
    if (chosen.length > 0 && !chosen.some((path) => name.startsWith(relative(root, path)))) continue
    const source = await Bun.file(join(root, name)).text()
    const pieces = name.endsWith(".md") ? paragraphs(source) : prosePieces(name, source)
    const hard = name.endsWith(".md") ? hardSentences(source) : []
    for (const { text, position } of hard) {
      hits++
      counts.set("sentence", (counts.get("sentence") ?? 0) + 1)
      if (isCounting) continue
      const line = source.slice(0, position).split("\n").length
      console.log(
        `${name}:${line}: "${text.slice(0, 60)}…" → at most ${maxWords} words, no "What …"`,
      )
    }
    const isFixture = fixtures.some((file) => file.test(name))
    for (const { text, position, isComment } of pieces) {
      if (isFixture && !isComment) continue
      const plain = text.replaceAll("\0", "")
      for (const { pattern: phrase, instead } of phrases) {
        const match = phrase.exec(plain)
        if (!match) continue
        hits++
        const key = phrase.source
        counts.set(key, (counts.get(key) ?? 0) + 1)
        if (isCounting) continue
        const line = source
          .slice(0, position + Math.max(0, text.indexOf(match[0])))
          .split("\n").length
        console.log(`${name}:${line}: "${match[0].trim()}" → ${instead}`)
      }
    }
  }
}
if (isCounting)
  for (const [key, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(count, key)
console.log(`${hits} phrases to replace`)
process.exit(hits > 0 ? 1 : 0)
