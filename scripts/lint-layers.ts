/**
 * The layer lint: fails if a folder of `src` imports values against the order of the engine's layers, or
 * if value imports tie folders into a cycle. Types may be imported from anywhere.
 *
 * @example
 * ```sh
 * bun scripts/lint-layers.ts
 * bun scripts/lint-layers.ts /path/to/another/checkout
 * ```
 */
import { dirname, join, relative } from "node:path"
import { Glob } from "bun"

/** The engine's layers. Each imports only those before it. */
const layers = ["net", "fetch", "runtime", "ops"].map((name) => `engine/${name}`)

const root = process.argv[2] ?? join(import.meta.dir, "..")
const source = join(root, "src")
const transpilers = {
  ts: new Bun.Transpiler({ loader: "ts" }),
  tsx: new Bun.Transpiler({ loader: "tsx" }),
}

/** An import of a value from one file of `src` by another, both relative to it. */
interface ValueImport {
  from: string
  to: string
}

const imports = await valueImports()
const problems = [...againstLayers(imports), ...cycles(imports)]
for (const problem of problems) console.log(problem)
console.log(`${imports.length} imports, ${problems.length} against the layers`)
process.exit(problems.length > 0 ? 1 : 0)

/** Returns the imports of values. The transpiler removes those of types. */
async function valueImports(): Promise<ValueImport[]> {
  const found: ValueImport[] = []
  for (const from of new Glob("**/*.{ts,tsx}").scanSync(source)) {
    const code = await Bun.file(join(source, from)).text()
    for (const { path, kind } of importsOf(from, code)) {
      if (!path.startsWith(".") || kind === "dynamic-import") continue
      found.push({ from, to: relative(source, join(source, dirname(from), path)) })
    }
  }
  return found.sort((one, other) => one.from.localeCompare(other.from))
}

function importsOf(path: string, code: string) {
  try {
    return transpilers[path.endsWith("x") ? "tsx" : "ts"].scan(code).imports
  } catch (error) {
    throw new Error(`src/${path} cannot be parsed.`, { cause: error })
  }
}

function againstLayers(imports: readonly ValueImport[]): string[] {
  const layerOf = (path: string) => layers.findIndex((layer) => path.startsWith(`${layer}/`))
  return imports
    .filter(({ from, to }) => layerOf(from) !== -1 && layerOf(to) > layerOf(from))
    .map(({ from, to }) => {
      const [lower, upper] = [layerOf(from), layerOf(to)].map((at) => layers[at])
      return `src/${from} imports src/${to}: ${lower} must not import ${upper}`
    })
}

/**
 * Returns a description of each cycle of folders that are next to each other, at every level of the tree.
 * A file is a node only next to folders, so that a folder and a file of the same level can form a cycle.
 */
function cycles(imports: readonly ValueImport[]): string[] {
  const levels = new Map<string, Map<string, Map<string, ValueImport>>>()
  for (const edge of imports) {
    const from = edge.from.split("/")
    const to = edge.to.split("/")
    let shared = 0
    while (from[shared] === to[shared]) shared++
    // Files of one folder are the concern of `noImportCycles`.
    if (shared >= from.length - 1 || shared >= to.length - 1) continue
    const level = from.slice(0, shared).join("/")
    const graph = levels.get(level) ?? new Map<string, Map<string, ValueImport>>()
    levels.set(level, graph)
    const edges = graph.get(from[shared]!) ?? new Map<string, ValueImport>()
    graph.set(from[shared]!, edges)
    if (!edges.has(to[shared]!)) edges.set(to[shared]!, edge)
  }
  return [...levels].flatMap(([level, graph]) => {
    const cycle = cycleIn(graph)
    if (!cycle) return []
    const steps = cycle.map(({ from, to }) => `  src/${from} imports src/${to}`)
    return [`The folders of src/${level} form a cycle:\n${steps.join("\n")}`]
  })
}

/** Returns the imports of one cycle of a graph, found depth first. */
function cycleIn(graph: Map<string, Map<string, ValueImport>>): ValueImport[] | null {
  const done = new Set<string>()
  const visit = (node: string, path: string[], taken: ValueImport[]): ValueImport[] | null => {
    const at = path.indexOf(node)
    if (at !== -1) return taken.slice(at)
    if (done.has(node)) return null
    for (const [next, edge] of graph.get(node) ?? []) {
      const cycle = visit(next, [...path, node], [...taken, edge])
      if (cycle) return cycle
    }
    done.add(node)
    return null
  }
  for (const node of graph.keys()) {
    const cycle = visit(node, [], [])
    if (cycle) return cycle
  }
  return null
}
