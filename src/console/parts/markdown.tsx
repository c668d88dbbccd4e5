import { lexer, type Token, type Tokens } from "marked"
import type { ComponentChildren, VNode } from "preact"

/** Maximum characters; longer pages are cut, so that they do not block the tab. */
const maxLength = 200_000
/** Maximum depth of nested lists and quotes. */
const deepest = 24

/**
 * Markdown of an untrusted page as elements. It becomes text or one of the elements below, never
 * HTML. Images are named and not loaded.
 */
export function Markdown({ text, label = "Text of the page" }: { text: string; label?: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="prose" tabIndex={0} aria-label={label}>
      {blocks(lexer(text.slice(0, maxLength)), 0)}
      {text.length > maxLength && (
        <p class="muted">
          The first {maxLength.toLocaleString()} of {text.length.toLocaleString()} characters; the
          JSON contains all of it.
        </p>
      )}
    </section>
  )
}

type Visible = ComponentChildren

function blocks(tokens: Token[] | undefined, depth: number): Visible[] {
  if (depth > deepest) return (tokens ?? []).map(({ raw }) => raw)
  return (tokens ?? []).map((token) => block(token as Tokens.Generic, depth + 1))
}

function block(token: Tokens.Generic, depth: number): Visible {
  switch (token.type) {
    case "space":
    case "def":
      return null
    case "heading":
      return heading(token.depth, blocks(token.tokens, depth))
    case "paragraph":
      return <p>{blocks(token.tokens, depth)}</p>
    case "blockquote":
      return <blockquote>{blocks(token.tokens, depth)}</blockquote>
    case "code":
      return (
        <pre>
          <code>{token.text}</code>
        </pre>
      )
    case "hr":
      return <hr />
    case "list":
      return list(token as Tokens.List, depth)
    case "table":
      return table(token as Tokens.Table, depth)
    default:
      return inline(token, depth)
  }
}

function inline(token: Tokens.Generic, depth: number): Visible {
  const inner = () => (token.tokens ? blocks(token.tokens, depth) : unescaped(token.text))
  switch (token.type) {
    case "strong":
      return <strong>{inner()}</strong>
    case "em":
      return <em>{inner()}</em>
    case "del":
      return <del>{inner()}</del>
    case "codespan":
      return <code>{token.text}</code>
    case "br":
      return <br />
    case "link":
      return <Outside href={token.href}>{inner()}</Outside>
    case "image":
      return (
        <Outside href={token.href} class="picture">
          {token.text || "Picture"}
        </Outside>
      )
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw
    case "checkbox":
      return token.checked ? "☑ " : "☐ "
    case "text":
    case "escape":
      return inner()
    default:
      return token.raw
  }
}

/** Renders a heading two levels below the headings of the screen. */
function heading(depth: number, inner: Visible[]): VNode {
  if (depth === 1) return <h3 class="h1">{inner}</h3>
  if (depth === 2) return <h4 class="h2">{inner}</h4>
  return <h5 class="h3">{inner}</h5>
}

function list({ ordered, start, items }: Tokens.List, depth: number): VNode {
  const entries = items.map((item, index) => <li key={index}>{blocks(item.tokens, depth)}</li>)
  return ordered ? <ol start={Number(start) || 1}>{entries}</ol> : <ul>{entries}</ul>
}

function table({ header, rows }: Tokens.Table, depth: number): VNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="scroll" tabIndex={0} aria-label="Table of the page">
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index}>{blocks(cell.tokens, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{blocks(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface OutsideProps {
  href: string
  class?: string
  children: Visible
}

/** A link to another site. Only HTTP URLs become links. */
export function Outside({ href, children, ...rest }: OutsideProps) {
  if (!/^https?:\/\//i.test(href)) return <span {...rest}>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" {...rest}>
      {children}
    </a>
  )
}

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: "\u00a0",
}

/** Decodes the entities that Markdown needs; others stay as they are. */
const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? "")
