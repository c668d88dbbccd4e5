/**
 * The layer lint: fails if a folder of `src` imports values against the order of the engine's or the
 * store's layers, or if value imports tie folders into a cycle: folders with all that is in them, and the files
 * of each folder apart from its subfolders. Types may be imported from anywhere.
 *
 * @example
 * ```sh
 * bun scripts/lint-layers.ts
 * bun scripts/lint-layers.ts /path/to/another/checkout
 * ```
 */
import { dirname, join, relative } from "node:path"
import { Glob } from "bun"

/** The layers of a folder of `src`, by name, with their paths. Each layer imports only those before it. */
const stacks: Record<string, Record<string, readonly string[]>> = {
  engine: { net: ["net/"], fetch: ["fetch/"], runtime: ["runtime/"], ops: ["ops/"] },
  store: {
    tables: ["tables/", "migrations/"],
    db: ["db/"],
    aggregates: [
      "accounts/",
      "automation/",
      "destinations/",
      "files/",
      "health/",
      "notifications/",
      "runs/",
      "shared/",
      "settings/",
    ],
    upkeep: ["upkeep/"],
    commands: ["commands/"],
    writer: ["writer/", "store.ts"],
  },
}

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
const problems = [...againstLayers(imports), ...cycles(imports), ...cyclesOfFiles(imports)]
for (const problem of problems) console.log(problem)
const folders = new Set(imports.flatMap(({ from, to }) => [dirname(from), dirname(to)]))
console.log(`${imports.length} imports of ${folders.size} folders, ${problems.length} problems`)
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
  return imports.flatMap(({ from, to }) => {
    const [lower, upper] = [layerOf(from), layerOf(to)]
    if (!lower || !upper || lower.folder !== upper.folder || upper.height <= lower.height) return []
    const names = `${lower.folder}/${lower.name} must not import ${upper.folder}/${upper.name}`
    return [`src/${from} imports src/${to}: ${names}`]
  })
}

/** Returns the layer of a file of `src`, and its height; undefined for a file outside the layers. */
function layerOf(path: string) {
  const [folder = ""] = path.split("/", 1)
  const layers = Object.entries(stacks[folder] ?? {})
  const inside = path.slice(folder.length + 1)
  const height = layers.findIndex(([, paths]) => paths.some((start) => inside.startsWith(start)))
  return height === -1 ? undefined : { folder, name: layers[height]![0], height }
}

/**
 * Returns a description of a cycle of folders and files that are next to each other, at every level of
 * the tree that has one.
 */
function cycles(imports: readonly ValueImport[]): string[] {
  const levels = new Map<string, Map<string, Map<string, ValueImport>>>()
  for (const edge of imports) {
    const from = edge.from.split("/")
    const to = edge.to.split("/")
    let shared = 0
    while (from[shared] === to[shared]) shared++
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

/** Returns a description of a cycle of folders if each is only the files that are directly in it. */
function cyclesOfFiles(imports: readonly ValueImport[]): string[] {
  const graph = new Map<string, Map<string, ValueImport>>()
  for (const edge of imports) {
    const [from, to] = [dirname(edge.from), dirname(edge.to)]
    if (from === to) continue
    const edges = graph.get(from) ?? new Map<string, ValueImport>()
    graph.set(from, edges.set(to, edges.get(to) ?? edge))
  }
  const cycle = cycleIn(graph)
  if (!cycle) return []
  const steps = cycle.map(({ from, to }) => `  src/${from} imports src/${to}`)
  return [`A folder's files and its subfolders form a cycle:\n${steps.join("\n")}`]
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
