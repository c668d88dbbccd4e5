import { itemsPath, type View } from "../../data/datasets.ts"
import { base } from "../../data/shell.ts"

const formats = [
  ["csv", "CSV"],
  ["xlsx", "Excel"],
  ["parquet", "Parquet"],
  ["jsonl", "JSON Lines"],
] as const

/** As many items as one answer of JSON holds; who wants more takes lines. */
const mostJson = 1000

/** What is shown, as a file: its columns, with or without error rows. */
export function Downloads({ id, view, total }: { id: string; view: View; total: number }) {
  const href = (format: string) => base + itemsPath(id, view, { format })
  return (
    <p class="count downloads">
      {formats.map(([format, name]) => (
        <a key={format} href={href(format)} download={`${id}.${format}`}>
          {name}
        </a>
      ))}
      {total <= mostJson && (
        <a href={base + itemsPath(id, view, { limit: mostJson })} download={`${id}.json`}>
          JSON
        </a>
      )}
    </p>
  )
}
