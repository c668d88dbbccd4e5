/**
 * Prints the figures of docs/internals/code-figures.md: size, functions, imports, repeated lines, and
 * words of earlier versions, of `src`. `--json` prints them as JSON.
 *
 * @example
 * ```sh
 * bun scripts/code-figures.ts
 * bun scripts/code-figures.ts /path/to/another/checkout
 * ```
 */
import { dirname, join, relative } from "node:path"
import { Glob } from "bun"
import ts from "typescript5"

const args = process.argv.slice(2)
const root = args.find((arg) => !arg.startsWith("--")) ?? join(import.meta.dir, "..")
const source = join(root, "src")

/** Parts of names that the glossary replaced. */
const replaced = new Set(
  "told tells asked found kept shown stated taken given gives takes judged begun place places most longest largest fault faults way ways rung pace pacer lane canary wall walls verb verbs journal spill seal carrier visitor shelf tally stranger allowance anew beside answer".split(
    " ",
  ),
)
/** Minimum number of equal lines that count as repeated. */
const repeatedLines = 6
const maxFolders = 6

interface Code {
  path: string
  text: string
  file: ts.SourceFile
}

interface Fn {
  at: string
  lines: number
  parameters: number
  nesting: number
}

const codes: Code[] = []
for (const path of [...new Glob("**/*.{ts,tsx}").scanSync(source)].sort()) {
  const text = await Bun.file(join(source, path)).text()
  codes.push({ path, text, file: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) })
}

const sections = {
  size: sizes(codes),
  folders: Object.fromEntries(
    [...Map.groupBy(codes, ({ path }) => path.split("/")[0]!)]
      .filter(([, own]) => own.length > 1)
      .sort(([, a], [, b]) => linesOf(b) - linesOf(a))
      .slice(0, maxFolders)
      .map(([folder, own]) => [folder, kinds(own)]),
  ),
  all: kinds(codes),
  functions: functionFigures(codes.flatMap(functionsOf)),
  imports: importFigures(await valueImports()),
  names: nameFigures(),
  repeated: repeatedPairs(),
}
if (args.includes("--json")) console.log(JSON.stringify(sections, null, 2))
else {
  for (const [name, figures] of Object.entries(sections)) {
    for (const [key, value] of Object.entries(figures)) {
      const text = typeof value === "object" ? JSON.stringify(value) : value
      console.log(`${name} ${key}: ${text}`)
    }
  }
}

/** Returns the sizes of files. */
function sizes(all: readonly Code[]) {
  const lines = all.map(({ text }) => text.split("\n").length - 1)
  const longest = all[lines.indexOf(Math.max(...lines))]!
  return {
    files: all.length,
    lines: sum(lines),
    "lines of a file (median, p90, maximum)": spread(lines),
    "longest file": longest.path,
  }
}

/** Returns the lines of files by kind; each line counts once, for the first kind that it has. */
function kinds(all: readonly Code[]) {
  const count = {
    lines: 0,
    imports: 0,
    types: 0,
    schema: 0,
    data: 0,
    JSX: 0,
    comments: 0,
    blank: 0,
    code: 0,
  }
  for (const { text, file } of all) {
    const lines = text.split("\n").slice(0, -1)
    const kind = new Array<keyof typeof count | undefined>(lines.length)
    lines.forEach((line, at) => {
      const trimmed = line.trim()
      if (trimmed === "") kind[at] = "blank"
      else if (/^(?:\/\/|\/\*|\*(?:\s|\/|$))/.test(trimmed)) kind[at] = "comments"
    })
    const mark = (node: ts.Node, name: keyof typeof count) => {
      const first = file.getLineAndCharacterOfPosition(node.getStart()).line
      const last = file.getLineAndCharacterOfPosition(node.end).line
      for (let at = first; at <= last; at++) kind[at] ??= name
    }
    for (const statement of file.statements) {
      if (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
        mark(statement, "imports")
      else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
        mark(statement, "types")
      else if (ts.isVariableStatement(statement)) {
        for (const { initializer } of statement.declarationList.declarations) {
          if (initializer && isSchema(initializer)) mark(statement, "schema")
          else if (initializer && isData(initializer)) mark(statement, "data")
        }
      }
    }
    const visit = (node: ts.Node) => {
      if (ts.isJsxElement(node) || ts.isJsxSelfClosingElement(node) || ts.isJsxFragment(node))
        mark(node, "JSX")
      ts.forEachChild(node, visit)
    }
    visit(file)
    count.lines += lines.length
    for (let at = 0; at < lines.length; at++) count[kind[at] ?? "code"]++
  }
  return count
}

/** Returns whether an expression is a TypeBox schema, or makes one by the kit. */
function isSchema(node: ts.Expression): boolean {
  if (!ts.isCallExpression(node)) return false
  const callee = node.expression.getText()
  return /^Type\.|^(?:itemObject|record|recordOf|inputs|field|oneOf|named|objectOf)\b/.test(callee)
}

/** Returns whether an expression contains values only. */
function isData(node: ts.Expression): boolean {
  if (
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isParenthesizedExpression(node)
  ) {
    return isData(node.expression)
  }
  if (ts.isNewExpression(node)) return (node.arguments ?? []).every(isData)
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isData)
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every(
      (property) => ts.isPropertyAssignment(property) && isData(property.initializer),
    )
  }
  return (
    ts.isLiteralExpression(node) ||
    ts.isPrefixUnaryExpression(node) ||
    [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword, ts.SyntaxKind.NullKeyword].includes(
      node.kind,
    )
  )
}

function functionsOf({ path, file }: Code): Fn[] {
  const all: Fn[] = []
  const lineOf = (at: number) => file.getLineAndCharacterOfPosition(at).line
  const visit = (node: ts.Node) => {
    const isNamed =
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isConstructorDeclaration(node) ||
      ts.isAccessor(node) ||
      ((ts.isArrowFunction(node) || ts.isFunctionExpression(node)) &&
        (ts.isVariableDeclaration(node.parent) || ts.isPropertyAssignment(node.parent)))
    if (isNamed && node.body) {
      const first = lineOf(node.getStart())
      all.push({
        at: `${path}:${first + 1}`,
        lines: lineOf(node.end) - first + 1,
        parameters: node.parameters.length,
        nesting: nestingOf(node.body),
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return all
}

/** Returns the depth of branches and loops in a function, without the functions in it. */
function nestingOf(body: ts.Node): number {
  let max = 0
  const visit = (node: ts.Node, depth: number) => {
    if (ts.isFunctionLike(node)) return
    const isElseIf =
      ts.isIfStatement(node) && ts.isIfStatement(node.parent) && node.parent.elseStatement === node
    const isBlock =
      (ts.isIfStatement(node) && !isElseIf) ||
      ts.isIterationStatement(node, false) ||
      ts.isSwitchStatement(node) ||
      ts.isTryStatement(node)
    const own = isBlock ? depth + 1 : depth
    max = Math.max(max, own)
    ts.forEachChild(node, (child) => visit(child, own))
  }
  visit(body, 0)
  return max
}

function functionFigures(all: readonly Fn[]) {
  const longest = all.reduce((max, fn) => (fn.lines > max.lines ? fn : max))
  return {
    functions: all.length,
    "lines (median, p90, maximum)": spread(all.map(({ lines }) => lines)),
    "longest function": longest.at,
    "over 100 lines": all.filter(({ lines }) => lines > 100).length,
    "parameters (median, p90, maximum)": spread(all.map(({ parameters }) => parameters)),
    "five or more parameters, %": percent(all, ({ parameters }) => parameters >= 5),
    "nesting (median, p90, maximum)": spread(all.map(({ nesting }) => nesting)),
    "nesting of four or more, %": percent(all, ({ nesting }) => nesting >= 4),
  }
}

/** Returns the imports of values from file to file. The transpiler removes those of types. */
async function valueImports(): Promise<[from: string, to: string][]> {
  const transpilers = {
    ts: new Bun.Transpiler({ loader: "ts" }),
    tsx: new Bun.Transpiler({ loader: "tsx" }),
  }
  return codes.flatMap(({ path, text }) =>
    transpilers[path.endsWith("x") ? "tsx" : "ts"]
      .scan(text)
      .imports.filter((one) => one.path.startsWith(".") && one.kind !== "dynamic-import")
      .map((one): [string, string] => [
        path,
        relative(source, join(source, dirname(path), one.path)),
      ]),
  )
}

function importFigures(edges: readonly [string, string][]) {
  const levels = new Map<string, [string, string][]>()
  for (const [from, to] of edges) {
    const [a, b] = [from.split("/"), to.split("/")]
    let shared = 0
    while (a[shared] === b[shared]) shared++
    const level = a.slice(0, shared).join("/")
    levels.set(level, [...(levels.get(level) ?? []), [a[shared]!, b[shared]!]])
  }
  const parents = edges.map(([from, to]): [string, string] => [dirname(from), dirname(to)])
  const importers = Map.groupBy(edges, ([, to]) => to)
  const isSmall = ({ text }: Code) => text.split("\n").length <= 60
  const single = codes.filter(
    ({ path }) => new Set(importers.get(path)?.map(([from]) => from)).size === 1,
  )
  return {
    "value imports": edges.length,
    "cycles of files": cyclesIn(edges).length,
    "cycles of folders and files that are next to each other": [...levels.values()].flatMap(
      cyclesIn,
    ).length,
    "folders in cycles by level": Object.fromEntries(
      [...levels].flatMap(([level, own]) => {
        const inCycles = cyclesIn(own).flat().length
        return inCycles > 0 ? [[level || "src", inCycles]] : []
      }),
    ),
    "folders in cycles, a folder's own files and subfolders apart": cyclesIn(parents).flat().length,
    "files imported by one other": single.length,
    "such files below 60 lines": single.filter(isSmall).length,
  }
}

/** Returns the strongly connected parts of a graph with more than one node, by Tarjan's algorithm. */
function cyclesIn(edges: readonly [string, string][]): string[][] {
  const graph = new Map<string, Set<string>>()
  for (const [from, to] of edges) {
    if (!graph.has(from)) graph.set(from, new Set())
    if (!graph.has(to)) graph.set(to, new Set())
    if (from !== to) graph.get(from)!.add(to)
  }
  const parts: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const visit = (node: string) => {
    index.set(node, index.size)
    low.set(node, index.get(node)!)
    open.push(node)
    for (const next of graph.get(node)!) {
      if (!index.has(next)) visit(next)
      if (open.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!))
    }
    if (low.get(node) !== index.get(node)) return
    const part = open.splice(open.indexOf(node))
    if (part.length > 1) parts.push(part)
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return parts
}

function nameFigures() {
  const types = new Map<string, number>()
  const parts = new Map<string, number>()
  let names = 0
  for (const { file } of codes) {
    const visit = (node: ts.Node) => {
      const name = (node as ts.NamedDeclaration).name
      if (name && ts.isIdentifier(name) && !ts.isPropertyAccessExpression(node)) {
        names++
        if (
          ts.isInterfaceDeclaration(node) ||
          ts.isTypeAliasDeclaration(node) ||
          ts.isClassDeclaration(node)
        ) {
          types.set(name.text, (types.get(name.text) ?? 0) + 1)
        }
        for (const part of name.text.split(/(?<=[a-z0-9])(?=[A-Z])|_/)) {
          const word = part.toLowerCase()
          if (replaced.has(word)) parts.set(word, (parts.get(word) ?? 0) + 1)
        }
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  const same = [...types].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a)
  const most = [...parts].sort(([, a], [, b]) => b - a)
  const all = sum(most.map(([, count]) => count))
  return {
    "names declared": names,
    "replaced words in names": all,
    "replaced words per 1,000 lines": Number(((all / linesOf(codes)) * 1000).toFixed(2)),
    "most frequent": Object.fromEntries(most.slice(0, 8)),
    "type names used more than once": same.length,
    "most frequent type names": Object.fromEntries(same.slice(0, 8)),
  }
}

/** Returns how many pairs of files share lines that follow one another, without imports and comments. */
function repeatedPairs() {
  const seen = new Map<string, Set<string>>()
  for (const { path, text, file } of codes) {
    const body = text.slice(file.statements.findLast(ts.isImportDeclaration)?.end ?? 0)
    const lines = body
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => /\w/.test(line) && !/^(?:\/\/|\/\*|\*)/.test(line))
    for (let at = 0; at + repeatedLines <= lines.length; at++) {
      const key = Bun.hash(lines.slice(at, at + repeatedLines).join("\n")).toString()
      const files = seen.get(key) ?? new Set()
      seen.set(key, files.add(path))
    }
  }
  const pairs = new Map<string, Set<string>>()
  for (const files of seen.values()) {
    const sorted = [...files].sort()
    for (const [at, one] of sorted.entries()) {
      for (const other of sorted.slice(at + 1)) {
        const folders = [one, other].map((path) => path.split("/")[0]!)
        const folder = folders[0] === folders[1] ? folders[0]! : "between folders"
        const own = pairs.get(folder) ?? new Set()
        pairs.set(folder, own.add(`${one} ${other}`))
      }
    }
  }
  const counts = [...pairs].map(([folder, own]): [string, number] => [folder, own.size])
  return { [`pairs of files with ${repeatedLines} equal lines`]: Object.fromEntries(counts) }
}

function linesOf(all: readonly Code[]): number {
  return sum(all.map(({ text }) => text.split("\n").length - 1))
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]!
  return `${at(0.5)}, ${at(0.9)}, ${sorted.at(-1)!}`
}

function percent<T>(all: readonly T[], test: (one: T) => boolean): number {
  return Number(((all.filter(test).length / all.length) * 100).toFixed(2))
}
