import { ZipWriter } from "./zip.ts"

type Item = Record<string, unknown>

/** Returns the Markdown of a page; undefined for other items and errors. */
export const pageOf = ({ markdown }: Item): string | undefined =>
  typeof markdown === "string" ? markdown : undefined

/** Yields a file for each page, named by its URL. */
export async function* pageFiles(
  items: AsyncIterable<Item>,
): AsyncGenerator<{ name: string; text: string }> {
  const used = new Map<string, number>()
  for await (const item of items) {
    const text = pageOf(item)
    if (text === undefined) continue
    const name = fileName(item)
    const count = (used.get(name) ?? 0) + 1
    used.set(name, count)
    yield { name: count === 1 ? `${name}.md` : `${name}-${count}.md`, text }
  }
}

/** Yields the pages among items as a ZIP archive of Markdown files, created while it is sent. */
export async function* pagesZip(
  items: AsyncIterable<Item>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const zip = new ZipWriter()
  for await (const { name, text } of pageFiles(items)) {
    yield zip.begin(name)
    yield zip.write(text)
    yield zip.end()
  }
  yield zip.directory()
}

const maxName = 120

function fileName({ url, title }: Item): string {
  const address = URL.parse(String(url ?? ""))
  const words = address
    ? `${address.host}${address.pathname}${address.search}`
    : String(title ?? "")
  const plain = words
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
  return plain.slice(0, maxName) || "page"
}
