import type { Exchange } from "../../../src/engine/fetch/replay/case.ts"
import { replay } from "../../corpus-run.ts"

type Item = Record<string, unknown>

/** Returns the items of a run that gets these pages, by URL without its query. */
export async function itemsOf(
  slug: string,
  input: Record<string, unknown>,
  pages: Record<string, string>,
): Promise<Item[]> {
  const exchanges = Object.entries(pages).map(
    ([url, html]): Exchange => ({
      method: "GET",
      url,
      match: "path",
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8" },
      bytes: new TextEncoder().encode(html),
    }),
  )
  const { items } = await replay({
    folder: "",
    slug,
    case: "in other languages",
    input,
    env: {},
    exchanges,
    expect: [],
  })
  return items
}
