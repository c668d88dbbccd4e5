import { type Static, Type } from "@sinclair/typebox"
import { diffHunks, diffText, hunkHeading, sha256 } from "../../../extract/core/index.ts"
import { normaliseUrl } from "../../../extract/links/index.ts"
import { type Context, inputs, items } from "../../kit/index.ts"

const maxStored = 200_000
const maxVisible = 200_000

const requested = Type.Object(
  {
    tag: inputs.optionalText("Name of a separate history, for example daily.", {
      minLength: 1,
      maxLength: 128,
    }),
  },
  {
    additionalProperties: false,
    description:
      "Comparison of the page's Markdown and extracted data with the account's last run that requested it.",
  },
)

export const changesInput = Type.Optional(requested)

const lineFields = {
  type: items.requiredText("Kind of line: add, del or normal."),
  content: items.requiredText("Text of the line, with its mark (+, - or a space)."),
  before: items.integer(
    "Number of the line in the earlier Markdown, from 1; null for an added line.",
  ),
  after: items.integer("Number of the line in the new Markdown, from 1; null for a removed line."),
}
const hunkFields = {
  heading: items.requiredText("Line ranges of the hunk, for example `@@ -1,4 +1,5 @@`."),
  lines: items.objects("Lines of the hunk: removed, added and unchanged ones.", lineFields),
}

export const changesField = Type.Optional(
  items.requiredObject("With changes: what is other than before.", {
    status: items.requiredText("Status: new at the first run, then same, changed or removed."),
    previousAt: items.text("Time of the previous reading (ISO 8601)."),
    diff: items.text("The changed lines of the Markdown as a unified diff; null if none changed."),
    hunks: items.objects("The changed lines by hunk of the diff.", hunkFields),
    previousData: Type.Optional(items.valuesByName("Previous values of the extracted data.")),
  }),
)

/** Data of a page that is stored between runs. */
interface Stored {
  hash: string
  markdown: string
  data: Record<string, unknown> | null
  isGone: boolean
  at: string
}

interface Page {
  url: string
  markdown: string
  status: number
  data: Record<string, unknown> | undefined
}

const linesOf = (text: string) => text.trimEnd().split("\n")

/**
 * Returns the changes since the last run as fields of an item, if the input requests them. `keep`
 * stores the page for the next run. Call it after the item is yielded.
 */
export async function comparedPage(
  { url, markdown, status, data }: Page,
  ctx: Context<{ changes?: Static<typeof requested> | undefined }>,
) {
  if (!ctx.input.changes) return { fields: {}, keep: async () => {} }
  const { tag = "" } = ctx.input.changes
  const key = `changes ${normaliseUrl(url)} ${tag}`
  const before = await ctx.memory.get<Stored>(key)
  const text = markdown.slice(0, maxStored)
  const isGone = status === 404 || status === 410
  const now: Stored = {
    hash: sha256(markdown),
    markdown: text,
    data: data ?? null,
    isGone,
    at: ctx.now().toISOString(),
  }
  const hunks =
    before && before.hash !== now.hash ? diffHunks(linesOf(before.markdown), linesOf(text)) : []
  const isSame = before?.hash === now.hash && same(before.data, now.data)
  const wasThere = before !== undefined && !before.isGone
  const diff = diffText(hunks).slice(0, maxVisible)
  const changes = {
    status: isGone && wasThere ? "removed" : !before ? "new" : isSame ? "same" : "changed",
    previousAt: before?.at ?? null,
    diff: diff === "" ? null : diff,
    hunks: hunks.map((hunk) => ({ heading: hunkHeading(hunk), lines: hunk.changes })),
    ...(before?.data && { previousData: before.data }),
  }
  return { fields: { changes }, keep: () => ctx.memory.set(key, now) }
}

/** Compares values as JSON. Both have the key order of a schema. */
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
