import { Outside } from "./markdown.tsx"

const maxText = 160
const maxEntries = 3

/** A value of an item, shortened for a cell of a table. */
export function Value({ value }: { value: unknown }) {
  if (value === null || value === undefined || value === "") return <span class="muted">–</span>
  if (typeof value === "boolean") return <>{value ? "yes" : "no"}</>
  if (typeof value === "number") return <span class="number">{String(value)}</span>
  if (typeof value === "string") return <Text text={value} />
  if (Array.isArray(value)) return <Entries values={value} />
  return <code>{cut(JSON.stringify(value))}</code>
}

function Text({ text }: { text: string }) {
  if (/^https?:\/\/\S+$/.test(text)) return <Outside href={text}>{cut(plain(text), 60)}</Outside>
  return <span title={text.length > maxText ? text.slice(0, 2_000) : undefined}>{cut(text)}</span>
}

function Entries({ values }: { values: unknown[] }) {
  if (values.length === 0) return <span class="muted">none</span>
  const isPlain = values.every((value) => typeof value !== "object")
  if (!isPlain) return <span class="muted">{counted(values.length, "entry", "entries")}</span>
  const rest = values.length - maxEntries
  const visible = values.slice(0, maxEntries).map((value) => cut(String(value), 60))
  return (
    <>
      {visible.join(", ")}
      {rest > 0 && <span class="muted"> and {rest} more</span>}
    </>
  )
}

/** Returns a number with its noun. */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

/** Returns a number of bytes with its unit. */
export function sized(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"]
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${(bytes / 1000 ** power).toPrecision(3).replace(/\.0+$/, "")} ${units[power]}`
}

const cut = (text: string, max = maxText) =>
  text.length > max ? `${text.slice(0, max - 1).trimEnd()}…` : text

const plain = (url: string) => url.replace(/^https?:\/\/(?:www\.)?|\/$/g, "")
