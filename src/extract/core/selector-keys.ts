/** The name, id, class or attribute that every match of a selector has, of each of its alternatives. */
export interface SelectorKey {
  kind: "name" | "attribute" | "id" | "class"
  value: string
  /** Whether the key is the whole condition. */
  isAll: boolean
  /** An attribute that every match has besides: fewer elements may have it than have the name. */
  attribute?: string
}

/**
 * Returns the name or attribute that the last part of each alternative (`a, b`) requires, or null if
 * an alternative requires neither, or is written in an unusual way.
 */
export function selectorKeys(selector: string): SelectorKey[] | null {
  const keys: SelectorKey[] = []
  for (const part of alternatives(selector)) {
    const key = part === null ? null : keyOf(part.last)
    if (!key) return null
    keys.push({ ...key, isAll: key.isAll && part!.isAlone })
  }
  return keys
}

/** Returns the rarest condition on an element. */
function keyOf(compound: string): SelectorKey | null {
  const isAll = /^(?:[#.]?[a-z][\w-]*|\[[a-z][\w-]*\])$/i.test(compound)
  const attribute = /\[\s*([a-z][\w-]*)\s*(?:[~|^$*!]?=|\])/i.exec(compound)?.[1]
  const name = /^[a-z][\w-]*/i.exec(compound)?.[0]
  const [, sign, value] = /^[^[]*?([#.])([\w-]+)(?=[#.[]|$)/.exec(compound) ?? []
  if (value && (!name || sign === "#")) {
    return { kind: sign === "#" ? "id" : "class", value, isAll }
  }
  if (name) {
    const besides = /\[([a-z][\w-]*)\]$/i.exec(compound)?.[1]?.toLowerCase()
    return { kind: "name", value: name.toLowerCase(), isAll, attribute: besides }
  }
  if (attribute) return { kind: "attribute", value: attribute.toLowerCase(), isAll }
  if (/^[^[]*#/.test(compound)) return { kind: "attribute", value: "id", isAll }
  return /^[^[]*\./.test(compound) ? { kind: "attribute", value: "class", isAll } : null
}

const tokens = /\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]|\s*[>+~\s]\s*|\s*,\s*|[^[\]>+~\s,]+/gy

interface Alternative {
  /** The condition on the element itself. */
  last: string
  /** Nothing of others. */
  isAlone: boolean
}

/** Yields null for selectors that this module does not support. */
function* alternatives(selector: string): Generator<Alternative | null> {
  const text = selector.trim()
  if (text === "" || /[\\():]/.test(text.replace(/\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]/g, ""))) {
    yield null
    return
  }
  let last = ""
  let isAlone = true
  let read = 0
  for (const [token] of text.matchAll(tokens)) {
    read += token.length
    if (token.startsWith("[")) last += token
    else if (token.includes(",")) {
      yield { last, isAlone }
      last = ""
      isAlone = true
    } else if (/^\s*[>+~\s]/.test(token)) {
      last = ""
      isAlone = false
    } else last += token
  }
  yield read === text.length ? { last, isAlone } : null
}
