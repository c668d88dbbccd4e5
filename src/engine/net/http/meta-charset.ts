/**
 * Returns the encoding that the start of a page declares, in lower case. It follows the prescan of
 * the HTML standard: comments and other tags are skipped, and the `content` of a meta element
 * counts only together with `http-equiv="content-type"`.
 */
export function metaCharset(head: string): string | undefined {
  let at = head.indexOf("<")
  while (at >= 0) {
    if (head.startsWith("<!--", at)) {
      const end = head.indexOf("-->", at + 2)
      if (end < 0) return undefined
      at = head.indexOf("<", end + 3)
      continue
    }
    const name = /^<\/?([a-z]+)/i.exec(head.slice(at, at + 20))
    const tag = name ? attributes(head, at + name[0].length) : undefined
    if (name && /^<meta$/i.test(name[0])) {
      const label = labelOf(tag!.values)
      if (label) return label
    }
    at = head.indexOf("<", tag?.end ?? at + 1)
  }
}

function labelOf(values: Map<string, string>): string | undefined {
  const charset = values.get("charset")?.trim()
  if (charset) return charset.toLowerCase()
  if (values.get("http-equiv")?.trim().toLowerCase() !== "content-type") return undefined
  return charsetParameter(values.get("content") ?? "")
}

/** The label after `charset=` in a content type or in the `content` of a meta element. */
export function charsetParameter(text: string): string | undefined {
  const match = /charset\s*=\s*(?:"\s*([^"]*)"|'\s*([^']*)'|([^\s;,"']+))/i.exec(text)
  return (match?.[1] ?? match?.[2] ?? match?.[3])?.trim().toLowerCase() || undefined
}

const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y

/** The attributes of a tag from `at`, the first of each name, and the end position of the tag. */
function attributes(head: string, at: number): { values: Map<string, string>; end: number } {
  const values = new Map<string, string>()
  let end = at
  for (;;) {
    attribute.lastIndex = end
    const match = attribute.exec(head)
    if (!match) return { values, end }
    const name = match[1]!.toLowerCase()
    if (!values.has(name)) values.set(name, match[2] ?? match[3] ?? match[4] ?? "")
    end = attribute.lastIndex
  }
}
