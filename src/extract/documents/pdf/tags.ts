import { type Block, blocksOf, lineParts } from "./blocks.ts"
import { regionsOf, rowsOf } from "./order.ts"
import { type LinkArea, segmentsOf, type TextItem } from "./segments.ts"
import { type Part, sizeOf } from "./tables.ts"

/** An element of a page's structure as PDF.js returns it: another element, or the ID of its content. */
export interface TagNode {
  role?: string
  type?: string
  id?: string
  children?: TagNode[]
}

/** The text and the marks of a page, in the order of its content. */
export type MarkedItem = TextItem | { type: string; tag?: string; id?: string | null }

type ToPage = (x: number, y: number) => readonly [number, number]

/** Minimum number of blocks that may be the cells of a table. */
const minLoose = 4
/** Minimum share of a page's letters that its structure must contain. */
const minCovered = 0.9
/** Letters of running heads on a page, and their share of the other letters. */
const maxArtifacts = 300
const maxArtifactShare = 0.3
const maxDepth = 200
const groups = new Set(
  `Root Document DocumentFragment Part Art Sect Div Aside BlockQuote TOC Index L NonStruct Private
  THead TBody TFoot TR TH TD`.split(/\s+/),
)
const paragraphs = new Set(
  "P Title H H1 H2 H3 H4 H5 H6 LI TOCI Caption Note FENote BibEntry Code Formula Figure Form".split(
    " ",
  ),
)

/** Returns the blocks of a page by its tags; null if it has none, or if they miss a part of its text. */
export function taggedBlocks(
  tree: TagNode | null,
  items: readonly MarkedItem[],
  toPage: ToPage,
  links: readonly LinkArea[],
): Block[] | null {
  if (!tree) return null
  const { byId, rest, count, artifacts } = contentOf(items)
  // Some programs mark the text itself as an artifact.
  if (artifacts > Math.max(maxArtifacts, count * maxArtifactShare)) return null
  const reader = new TagReader(byId, toPage, links)
  reader.read(tree, 0)
  if (reader.count < count * minCovered || reader.count === 0) return null
  const unread = [...rest, ...byId.values()].flat()
  return [...reader.end(), ...blocksByLayout(unread, toPage, links)]
}

function blocksByLayout(
  items: readonly TextItem[],
  toPage: ToPage,
  links: readonly LinkArea[],
): Block[] {
  const { segments } = segmentsOf(items, toPage, links)
  return regionsOf(segments).flatMap(blocksOf)
}

/** Returns texts by the IDs of their marks, the others that are not artifacts, and the number of letters outside of artifacts. */
function contentOf(items: readonly MarkedItem[]) {
  const byId = new Map<string, TextItem[]>()
  const rest: TextItem[] = []
  const used = new Set<string>()
  const open: { id: string | null; isArtifact: boolean }[] = []
  let [count, artifacts] = [0, 0]
  for (const item of items) {
    if (!("str" in item)) {
      if (item.type === "endMarkedContent") open.pop()
      else {
        const isArtifact = item.tag === "Artifact" || open.at(-1)?.isArtifact === true
        // Forms count their marks again from 0, so a second mark is not the one of the structure.
        const isSecond = item.id != null && used.has(item.id)
        if (item.id != null) used.add(item.id)
        const id = isSecond ? null : (item.id ?? open.at(-1)?.id ?? null)
        open.push({ id, isArtifact })
      }
      continue
    }
    const { id = null, isArtifact = false } = open.at(-1) ?? {}
    if (isArtifact) artifacts += lettersIn(item)
    else count += lettersIn(item)
    if (id === null) {
      if (!isArtifact) rest.push(item)
      continue
    }
    const known = byId.get(id)
    if (known) known.push(item)
    else byId.set(id, [item])
  }
  return { byId, rest, count, artifacts }
}

const lettersIn = ({ str }: TextItem) => str.replace(/\s+/g, "").length

class TagReader {
  /** Letters that are read. */
  count = 0
  private readonly blocks: Block[] = []
  /** Texts of the last blocks, which are in groups only. */
  private loose: TextItem[][] = []
  private items: TextItem[] = []
  private level: number | undefined
  private isItem = false
  /** The text is in a block that contains its parts, such as an item of a list. */
  private isInside = false

  constructor(
    private readonly byId: Map<string, TextItem[]>,
    private readonly toPage: ToPage,
    private readonly links: readonly LinkArea[],
  ) {}

  end(): Block[] {
    this.flush()
    this.endLoose()
    return this.blocks
  }

  /** Replaces blocks without a kind of their own if they are the cells of a table. */
  private endLoose(): void {
    const { loose } = this
    this.loose = []
    if (loose.length < minLoose) return
    const blocks = blocksByLayout(loose.flat(), this.toPage, this.links)
    if (blocks.some(({ kind }) => kind === "table"))
      this.blocks.splice(-loose.length, loose.length, ...blocks)
  }

  read(node: TagNode, depth: number): void {
    if (depth > maxDepth) return
    const { role = "" } = node
    if (node.type === "content") this.items.push(...this.content(node))
    else if (role === "Table") {
      this.flush()
      this.endLoose()
      this.table(node)
    } else if (role === "L" || (groups.has(role) && !this.isInside)) {
      this.flush()
      this.children(node, depth)
      this.flush()
    } else if (paragraphs.has(role) && !this.isInside) this.block(node, depth)
    else if (role === "LI" || role === "TOCI") this.block(node, depth)
    else this.children(node, depth)
  }

  private children({ children = [] }: TagNode, depth: number): void {
    for (const child of children) this.read(child, depth + 1)
  }

  private block(node: TagNode, depth: number): void {
    this.flush()
    const { role = "" } = node
    const around = this.isInside
    this.isInside = role !== "Figure" && role !== "Form"
    this.isItem = role === "LI"
    this.level = /^H[1-6]$/.test(role) ? Number(role[1]) : { H: 2, Title: 1 }[role]
    this.children(node, depth)
    this.flush()
    this.isInside = around
  }

  private content({ id = "" }: TagNode): TextItem[] {
    const items = this.byId.get(id) ?? []
    this.byId.delete(id)
    this.count += items.reduce((sum, item) => sum + lettersIn(item), 0)
    return items
  }

  private flush(): void {
    const { lines, size } = this.lines(this.items)
    if (lines.length > 0) {
      const { level, isItem } = this
      if (this.isInside) this.endLoose()
      else this.loose.push(this.items)
      this.blocks.push({ kind: "text", lines, size, indent: 0, tag: { level, isItem } })
    }
    this.items = []
    this.level = undefined
    this.isItem = false
  }

  private table(node: TagNode): void {
    const rows = within(node, "TR").map((row) =>
      (row.children ?? [])
        .filter(({ role }) => role === "TD" || role === "TH")
        .map((cell) => joinedLines(this.lines(this.itemsIn(cell)).lines)),
    )
    if (rows.some(({ length }) => length > 1)) this.blocks.push({ kind: "table", rows })
    else {
      for (const lines of rows.flat()) {
        if (lines.length > 0)
          this.blocks.push({
            kind: "text",
            lines: [lines],
            size: 0,
            indent: 0,
            tag: { isItem: false },
          })
      }
    }
    this.items = this.itemsIn(node)
    this.flush()
  }

  /** Returns the texts of an element that are not yet read. */
  private itemsIn(node: TagNode, depth = 0): TextItem[] {
    if (node.type === "content") return this.content(node)
    if (depth > maxDepth) return []
    return (node.children ?? []).flatMap((child) => this.itemsIn(child, depth + 1))
  }

  private lines(items: readonly TextItem[]): { lines: Part[][]; size: number } {
    const lines: Part[][] = []
    let size = 0
    for (const run of this.runs(items)) {
      const { segments, askew } = segmentsOf(run, this.toPage, this.links)
      for (const row of rowsOf(segments)) {
        size ||= sizeOf(row)
        lines.push(lineParts(row))
      }
      for (const text of askew) lines.push([{ text }])
    }
    return { lines, size }
  }

  /** Splits texts at the top of the next column. */
  private runs(items: readonly TextItem[]): TextItem[][] {
    const runs: TextItem[][] = []
    let lowest = 0
    for (const item of items) {
      const [, y] = this.toPage(item.transform[4]!, item.transform[5]!)
      const height = Math.hypot(item.transform[2]!, item.transform[3]!)
      if (runs.length === 0 || y < lowest - height * 2) {
        runs.push([])
        lowest = y
      }
      runs.at(-1)!.push(item)
      lowest = Math.max(lowest, y)
    }
    return runs
  }
}

function within(node: TagNode, role: string, depth = 0): TagNode[] {
  if (depth > maxDepth) return []
  return (node.children ?? []).flatMap((child) =>
    child.role === role ? [child] : within(child, role, depth + 1),
  )
}

const joinedLines = (lines: Part[][]): Part[] =>
  lines.flatMap((line, at) => (at === 0 ? line : [{ text: " " }, ...line]))
