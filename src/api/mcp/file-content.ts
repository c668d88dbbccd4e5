import type { ContentBlock } from "@modelcontextprotocol/sdk/types.js"
import type { RunRow } from "../../store/tables/schema.ts"
import { filesOf, type ItemFile } from "../http/item-files.ts"
import type { ToolRuns } from "./tool-runs.ts"

/** Maximum images in a response, and their total bytes; other files are returned as links. */
const maxImages = 3
const maxBytes = 1_500_000
/** Maximum files that a response lists next to its items. */
const maxFiles = 20

/** The files of a response's items: images as content that a model sees, others as links. */
export async function fileContent(
  runs: Pick<ToolRuns, "contents">,
  run: RunRow,
  items: readonly Record<string, unknown>[],
): Promise<ContentBlock[]> {
  const content: ContentBlock[] = []
  let images = 0
  let left = maxBytes
  for (const file of items.flatMap(filesOf).slice(0, maxFiles)) {
    const isVisible =
      file.contentType.startsWith("image/") && images < maxImages && file.bytes <= left
    const bytes = isVisible ? await runs.contents(file.id, run) : undefined
    if (!bytes) {
      content.push(linkTo(file))
      continue
    }
    images++
    left -= bytes.length
    content.push({ type: "image", data: bytes.toBase64(), mimeType: file.contentType })
  }
  return content
}

function linkTo({ url, field, contentType, bytes }: ItemFile): ContentBlock {
  return { type: "resource_link", uri: url, name: field, mimeType: contentType, size: bytes }
}
