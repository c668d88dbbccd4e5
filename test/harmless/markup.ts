import {
  type Attribute,
  joined,
  type Piece,
  piecesOf,
  tagText,
  withAttributes,
  withTags,
  withTexts,
} from "./tags.ts"

/** Changes to a page's markup that no browser shows. */

const blocks =
  /^(?:html|head|body|div|p|ul|ol|li|dl|dt|dd|table|thead|tbody|tfoot|tr|td|th|section|article|main|header|footer|nav|aside|h[1-6]|form|meta|link|script|style|figure)$/

const isBlock = (piece: Piece | undefined) =>
  (piece?.kind === "tag" || piece?.kind === "end") && blocks.test(piece.name)

/**
 * Returns letters and digits of the same length, as a build of other content would have; a name
 * does not start with a digit.
 */
const rehashed = (hash: string) =>
  Bun.hash(hash).toString(36).padStart(13, "x").slice(0, hash.length).replace(/^\d/, "q")

const isHash = (text: string) =>
  text.length >= 5 &&
  (/\d/.test(text) ? /[a-z]/i.test(text) : /[a-z][A-Z]/.test(text) && /[A-Z].*[A-Z]/.test(text))

/**
 * Replaces the hash in a class that a build tool has written: `css-1x2y3z`, `title__3fGh1`,
 * `_3fGh1`.
 */
function otherBuild(name: string): string {
  return name
    .replace(
      /^(css|jss|svelte|emotion|sc)-([\da-z]{5,8})(?=-|$)/i,
      (_, tool, hash) => `${tool}-${rehashed(hash)}`,
    )
    .replace(/(__|--)([\w]{5,6})$/, (whole, between, hash) =>
      isHash(hash) ? between + rehashed(hash) : whole,
    )
    .replace(/^_([\dA-Za-z]{5,7})$/, (whole, hash) => (isHash(hash) ? `_${rehashed(hash)}` : whole))
}

const changedClass = (html: string, change: (value: string) => string) =>
  withAttributes(html, (list) =>
    list.map(([key, value]) =>
      key.toLowerCase() === "class" && value !== null ? [key, change(value)] : [key, value],
    ),
  )

/** Values that need no quotes. */
const plain = /^[^\s"'=<>`/]+$/

/** Returns the page with one more item before the third of each list whose items have one class. */
function withItem(html: string, contents: string): string {
  const pieces = piecesOf(html)
  const out: Piece[] = []
  const open: { name: string; last?: string; run: number }[] = [{ name: "", run: 0 }]
  for (const piece of pieces) {
    if (piece.kind === "tag" && /^(?:li|article|div|section|tr)$/.test(piece.name)) {
      const parent = open.at(-1)!
      const value = piece.attributes.find(([key]) => key === "class")?.[1]
      const sign = value ? `${piece.name} ${value}` : undefined
      parent.run = sign && sign === parent.last ? parent.run + 1 : 1
      if (sign) parent.last = sign
      else delete parent.last
      if (sign && parent.run === 3) {
        const inner = piece.name === "tr" ? `<td>${contents}</td>` : contents
        out.push({ kind: "text", text: `<${piece.name} class="${value}">${inner}</${piece.name}>` })
      }
      open.push({ name: piece.name, run: 0 })
    } else if (piece.kind === "end") {
      const at = open.findLastIndex(({ name }) => name === piece.name)
      if (at > 0) open.length = at
    }
    out.push(piece)
  }
  return joined(out)
}

/** Returns the page with `before` and `after` within each element of some names. */
const wrapped = (html: string, names: RegExp, before: string, after: string) =>
  joined(
    piecesOf(html).map((piece) => {
      if (piece.kind === "tag" && names.test(piece.name))
        return { ...piece, text: piece.text + before }
      if (piece.kind === "end" && names.test(piece.name))
        return { ...piece, text: after + piece.text }
      return piece
    }),
  )

/** Returns the page with this white space between blocks, where browsers show none. */
function betweenBlocks(html: string, space: string): string {
  const isGap = (piece: Piece) => piece.kind === "text" && piece.text.trim() === ""
  const pieces = piecesOf(html)
  const isBetween = (at: number) => isBlock(pieces[at - 1]) && isBlock(pieces[at + 1])
  const stored = pieces.filter((piece, at) => !(isGap(piece) && isBetween(at)))
  return stored
    .map((piece, at) =>
      isBlock(piece) && isBlock(stored[at + 1]) ? piece.text + space : piece.text,
    )
    .join("")
}

const named: Record<string, string> = {
  é: "eacute",
  ü: "uuml",
  "©": "copy",
  "–": "ndash",
  "’": "rsquo",
  "€": "euro",
}

/** Application data that sites add to a page. */
const applicationData = JSON.stringify({
  empty: ["No results", "0 results", "did not match any documents"],
  gone: ["This item is unavailable", "This item has been discontinued", "couldn't find", "404"],
  labels: ["Digital download", "Closed", "Sold out"],
})

const extra = {
  head: `<script>window.xLayer=window.xLayer||[];xLayer.push({"event":"x","name":"x"});</script><style>.x-top{margin:0}</style><noscript><style>.x-lazy{display:none}</style></noscript>`,
  body: `<noscript><p style="display:none">This page needs scripts.</p></noscript><script>(function(){var x={"name":"x","items":[]};})()</script><script type="application/json">${applicationData}</script><style>.x-body{margin:0}</style>`,
}

const entryPoint = (html: string, form: RegExp, text: string) =>
  html.replace(form, (tag) => tag + text)

/** Elements whose value is not their text, or that have none. */
const ownValue = /^(?:a|time|data|meter|object|link|meta|img|br|input|source|hr)$/

const attributeText = (one: Attribute) => tagText("", [one]).slice(1, -1)

export const markup = {
  "hashes of classes": (html: string) =>
    changedClass(html, (value) => value.replace(/\S+/g, otherBuild)),
  "attributes reversed": (html: string) => withAttributes(html, (list) => list.toReversed()),
  "single quotes": (html: string) =>
    withTags(html, ({ name, attributes, text }) =>
      attributes.some(([, value]) => /["']/.test(value ?? ""))
        ? text
        : tagText(name, attributes).replaceAll('"', "'"),
    ),
  "no quotes": (html: string) =>
    withTags(html, ({ name, attributes }) => {
      const written = attributes.map(([key, value]) =>
        value !== null && plain.test(value) ? ` ${key}=${value}` : attributeText([key, value]),
      )
      return `<${name}${written.join("")}>`
    }),
  capitals: (html: string) =>
    joined(
      piecesOf(html).map((piece) => {
        if (piece.kind === "end") return { ...piece, text: `</${piece.name.toUpperCase()}>` }
        if (piece.kind !== "tag") return piece
        const list = piece.attributes.map(([key, value]): Attribute => [key.toUpperCase(), value])
        return { ...piece, text: tagText(piece.name.toUpperCase(), list) }
      }),
    ),
  "slashes of empty elements": (html: string) =>
    withTags(html, ({ name, text }) =>
      /^(?:meta|link|img|br|input|hr)$/.test(name) ? text.replace(/\s*\/?>$/, " />") : text,
    ),
  "space in tags": (html: string) =>
    withTags(html, ({ name, attributes, text }) =>
      attributes.length === 0
        ? text
        : tagText(name, attributes).replace(`<${name}`, `<${name}\n   `).replace(/>$/, "\n>"),
    ),
  "more classes": (html: string) =>
    changedClass(html, (value) => `x-first ${value.trim()}  x-last`),
  "data attributes": (html: string) =>
    withTags(html, ({ name, attributes, text }) =>
      name === "html" || name === "script"
        ? text
        : tagText(name, [["data-x-scope", ""], ...attributes, ["data-x-track", "a:1"]]),
    ),
  "no space between blocks": (html: string) => betweenBlocks(html, ""),
  "space between blocks": (html: string) => betweenBlocks(html, "\n\t\t"),
  "comments between elements": (html: string) =>
    joined(
      piecesOf(html).flatMap((piece): Piece[] =>
        isBlock(piece) &&
        piece.kind === "end" &&
        !/^(?:html|body|head|script|style)$/.test(piece.name)
          ? [{ kind: "other", text: "<!---->" }, piece, { kind: "other", text: "<!-- part -->" }]
          : [piece],
      ),
    ),
  "comments in texts": (html: string) =>
    withTexts(html, (text) => text.replace(/(?<![&#\w])\d[\d.,]*(?!\w*;)/g, "<!-- -->$&<!-- -->")),
  "spans around texts": (html: string) => {
    const pieces = piecesOf(html)
    return joined(
      pieces.map((piece, at) => {
        const before = pieces[at - 1]
        const isFirst =
          before?.kind === "tag" && /^(?:h[1-6]|a|td|dd|button|label)$/.test(before.name)
        return isFirst && piece.kind === "text" && piece.text.trim() !== ""
          ? { ...piece, text: `<span>${piece.text}</span>` }
          : piece
      }),
    )
  },
  "divs in items": (html: string) =>
    wrapped(html, /^(?:li|article|td|main|section|aside)$/, `<div class="x-inner">`, "</div>"),
  "empty items": (html: string) => withItem(html, ""),
  advertisements: (html: string) =>
    withItem(
      html,
      `<div class="x-ad"><ins data-slot="1"></ins><script>(xAds=window.xAds||[]).push({})</script></div>`,
    ),
  "more scripts": (html: string) =>
    entryPoint(
      entryPoint(html, /<head\b[^>]*>/i, extra.head),
      /<body\b[^>]*>/i,
      extra.body,
    ).replace(/<\/body\s*>/i, (end) => extra.body + end),
  references: (html: string) =>
    withAttributes(
      withTexts(html, (text) =>
        text
          .replaceAll("&amp;", "&#38;")
          .replace(/&quot;|"/g, "&#34;")
          .replace(/&#39;|'/g, "&#x27;"),
      ),
      (list) => list.map(([key, value]) => [key, value?.replaceAll("&amp;", "&#38;") ?? null]),
    ),
  "letters by number": (html: string) =>
    withTexts(html, (text) =>
      text.replace(/[\u00a1-\uffff]/g, (letter) => {
        if (letter >= "\ud800" && letter <= "\udfff") return letter
        return named[letter] ? `&${named[letter]};` : `&#${letter.charCodeAt(0)};`
      }),
    ),
  "unbroken spaces": (html: string) =>
    withTexts(html, (text) => text.replace(/(?<=\S) (?=\d)|(?<=\d) (?=\S)/g, "&nbsp;")),
  "no end tags of items": (html: string) =>
    html.replace(
      /<\/(?:li>(?=\s*<(?:li\b|\/[uo]l>))|t[dh]>(?=\s*<(?:t[dh]\b|\/tr>))|tr>(?=\s*<(?:tr\b|\/tbody>))|d[td]>(?=\s*<(?:d[td]\b|\/dl>)))/gi,
      "",
    ),
  "microdata in attributes": (html: string) => {
    const pieces = piecesOf(html)
    return joined(
      pieces.map((piece, at) => {
        if (piece.kind !== "tag") return piece
        const has = (name: string) => piece.attributes.some(([key]) => key === name)
        const text = pieces[at + 1]
        const isLeaf = text?.kind === "text" && pieces[at + 2]?.kind === "end"
        const isText = isLeaf && has("itemprop") && !has("content") && !has("itemscope")
        if (!isText || ownValue.test(piece.name)) return piece
        const list: Attribute[] = [...piece.attributes, ["content", text.text.trim()]]
        return { ...piece, text: tagText(piece.name, list) }
      }),
    )
  },
} as const
