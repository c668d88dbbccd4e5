import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../../src/engine/http/charset.ts"
import { contentCopy } from "../../src/extract/content-copy.ts"
import { parseDocument } from "../../src/extract/html.ts"
import { mainContent } from "../../src/extract/main-content.ts"
import { toMarkdown } from "../../src/extract/markdown.ts"
import { blockText } from "../../src/extract/page-text.ts"

/** Real pages, where they lie beside the project. */
const sets = join(import.meta.dir, "../../../shared/quality")
const url = "https://site.example/page"

function* pages(set: string): Generator<[name: string, html: string]> {
  for (const name of readdirSync(join(sets, set))) {
    if (!name.endsWith(".html.gz")) continue
    const bytes = new Uint8Array(gunzipSync(readFileSync(join(sets, set, name))))
    yield [name, decodeBody(bytes, "text/html")]
  }
}

/** What Markdown says with words or signs of its own. */
const ownWords = "iframe, video, audio, q, math, code.math-tex"
const bare = (text: string) => text.replace(/\s+/g, "")

/** Whether Markdown, rendered again, says what the page says. */
function differs(root: Element): boolean {
  for (const element of [...root.querySelectorAll(ownWords)]) element.remove()
  const html = Bun.markdown.html(toMarkdown(root, url), { tables: true, strikethrough: true })
  return bare(blockText(parseDocument(html).body)) !== bare(blockText(root))
}

describe.skipIf(!existsSync(sets))(
  "the text of Markdown rendered again is that of the page",
  () => {
    for (const set of ["articles", "segments", "products"]) {
      test(set, () => {
        const bad: string[] = []
        for (const [name, html] of pages(set)) {
          const document = parseDocument(html)
          if (differs(mainContent(document, url).root)) bad.push(`${name}: main content`)
          if (differs(contentCopy(document, url).body)) bad.push(`${name}: whole page`)
        }
        expect(bad).toEqual([])
      }, 120_000)
    }
  },
)
