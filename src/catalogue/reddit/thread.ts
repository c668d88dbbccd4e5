import { JsonReader } from "../../extract/embedded/index.ts"
import { assertScrapeError, Changed, type Context } from "../kit/index.ts"
import { listingOf, type RedditRequest, type Thing, thingsIn } from "./reddit.ts"

/** Maximum calls for collapsed comments per post. */
const maxCalls = 20
const idsPerCall = 100

/** A comment with its position in the tree. */
export interface Reply {
  data: Record<string, unknown>
  depth: number
  /** Full name of the parent. */
  parent: string
  /** Number of direct replies, including collapsed ones. */
  replyCount: number
}

interface Branch {
  /** Null for the post, which is the root. */
  data: Record<string, unknown> | null
  depth: number
  parent: string
  children: Branch[]
  stubs: Stub[]
}

/** Comments that Reddit collapses: by their IDs, or as "continue this thread". */
type Stub = { branch: Branch; parent: string; ids: string[]; count: number }
export type Growth = { maxComments: number; maxDepth: number; sort: string }

/** The comments of a post, including the collapsed ones that have been opened. */
export class CommentTree {
  private readonly branches = new Map<string, Branch>()
  private readonly stubs: Stub[] = []

  constructor(
    private readonly postId: string,
    things: Thing[],
    /** Method by which the thread was read. */
    private readonly ask: RedditRequest,
  ) {
    const root: Branch = { data: null, depth: -1, parent: "", children: [], stubs: [] }
    this.branches.set(`t3_${postId}`, root)
    this.graft(things, `t3_${postId}`)
  }

  /**
   * Opens collapsed comments until there are enough. A failure stops the opening; the comments so
   * far remain.
   */
  async grow({ maxComments, maxDepth, sort }: Growth, ctx: Context): Promise<void> {
    for (let calls = 0; calls < maxCalls; calls++) {
      if (this.count(maxDepth) >= maxComments) return
      const next = this.stubs.findIndex(({ branch }) => branch.depth < maxDepth)
      if (next < 0) return
      const stub = this.stubs[next]!
      try {
        this.graft(await this.open(stub, sort, ctx), stub.parent)
      } catch (error) {
        assertScrapeError(error, ctx)
        ctx.log(`Could not load more comments: ${error.message}`, "warning")
        return
      }
      stub.count = stub.ids.length === 0 ? 0 : Math.max(0, stub.count - idsPerCall)
      if (stub.ids.length === 0) this.stubs.splice(next, 1)
    }
  }

  private count(maxDepth: number): number {
    let count = 0
    for (const { depth } of this.branches.values()) if (depth >= 0 && depth <= maxDepth) count++
    return count
  }

  /** Returns the comments of a stub, and removes their IDs from it. */
  private async open(stub: Stub, sort: string, ctx: Context): Promise<Thing[]> {
    const ids = stub.ids.splice(0, idsPerCall)
    if (ids.length === 0) return this.continued(stub.parent.slice(3), sort, ctx)
    const response = await this.ask("/api/morechildren", {}, ctx, {
      api_type: "json",
      link_id: `t3_${this.postId}`,
      children: ids.join(","),
      sort,
      limit_children: "false",
      raw_json: "1",
    })
    const things = response.json<{ json?: { data?: { things?: Thing[] } } }>().json?.data?.things
    if (!Array.isArray(things)) throw new Changed("Reddit's response has no more comments.")
    return thingsIn(things)
  }

  private async continued(parent: string, sort: string, ctx: Context): Promise<Thing[]> {
    const path = `/comments/${this.postId}/_/${parent}`
    const response = await this.ask(path, { sort, limit: 500 }, ctx)
    const { things } = listingOf(response.json<unknown[]>()[1], response.url)
    return things.flatMap(repliesOf)
  }

  /** Adds comments to the tree: each under its parent, else under `above`. */
  private graft(things: Thing[], above: string): void {
    const pending = things.map((thing) => ({ thing, above }))
    for (let next = 0; next < pending.length; next++) {
      const { thing, above } = pending[next]!
      const { kind, data } = thing
      const parent = typeof data.parent_id === "string" ? data.parent_id : above
      // The view of one comment names a parent that the response does not contain.
      const known = this.branches.has(parent) ? parent : above
      const branch = this.branches.get(known)
      if (!branch) continue
      if (kind === "more") this.addStub(thing, branch, known)
      if (kind !== "t1") continue
      const name = String(data.name ?? `t1_${data.id}`)
      if (this.branches.has(name)) continue
      const grown: Branch = { data, depth: branch.depth + 1, parent, children: [], stubs: [] }
      this.branches.set(name, grown)
      branch.children.push(grown)
      for (const reply of repliesOf(thing)) pending.push({ thing: reply, above: name })
    }
  }

  private addStub({ data }: Thing, branch: Branch, parent: string): void {
    const ids = Array.isArray(data.children) ? data.children.filter((id) => id !== "_") : []
    // The root has no thread to continue.
    if (ids.length === 0 && branch.data === null) return
    const stub = { branch, parent, ids: ids.map(String), count: Number(data.count) || ids.length }
    branch.stubs.push(stub)
    this.stubs.push(stub)
  }

  /** Yields the comments depth first, in the order of the responses. */
  *replies(maxDepth: number, limit: number): Generator<Reply> {
    const stack = [...this.branches.get(`t3_${this.postId}`)!.children].reverse()
    for (let provided = 0; stack.length > 0 && provided < limit; provided++) {
      const { data, depth, parent, children, stubs } = stack.pop()!
      const folded = stubs.reduce((sum, { count }) => sum + count, 0)
      yield { data: data!, depth, parent, replyCount: children.length + folded }
      if (depth < maxDepth) {
        for (let at = children.length - 1; at >= 0; at--) stack.push(children[at]!)
      }
    }
  }
}

const repliesOf = ({ data }: Thing) =>
  thingsIn(new JsonReader(data.replies).value("data", "children"))
