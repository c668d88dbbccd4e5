import { downloadFormats, exportFormats } from "../../../base/export-formats.ts"
import { fileView, itemsPath, type View } from "../../data/datasets.ts"
import { base } from "../../data/shell.ts"

/** Maximum items of one JSON response; for more, JSON Lines are offered. */
const maxJson = 1000

interface DownloadsProps {
  id: string
  view: View
  /** All available columns. */
  all: string[]
  /** Columns that the call named. */
  own: string[]
  total: number
}

/** Downloads of the displayed rows, with the chosen columns or with all. */
export function Downloads({ id, view: visible, all, own, total }: DownloadsProps) {
  const { view, sources } = fileView(visible, all, own)
  const href = (more: Record<string, string | number>) =>
    base + itemsPath(id, view, { ...(sources && { sources: "true" }), ...more })
  return (
    <p class="count downloads">
      {downloadFormats.map((format) => (
        <a key={format} href={href({ format })} download={`${id}.${format}`}>
          {exportFormats[format].name}
        </a>
      ))}
      {total <= maxJson && (
        <a href={href({ limit: maxJson })} download={`${id}.json`}>
          JSON
        </a>
      )}
    </p>
  )
}
