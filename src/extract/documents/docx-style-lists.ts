/** The list to which a paragraph style assigns its paragraphs. */
interface StyleList {
  list: string
  level: string
}

/** Maximum styles on which a style is based, one after the other. */
const maxChain = 20
const prefix = "(?:[\\w-]{1,20}:)?"

const elements = (name: string, maxChars: number) =>
  new RegExp(
    `<${prefix}${name}(?=[\\s>])([^<>]{0,1000})>([\\s\\S]{0,${maxChars}}?)</${prefix}${name}>`,
    "g",
  )
const style = elements("style", 20_000)
const level = elements("lvl", 20_000)
const properties = elements("pPr", 20_000)

const attributeIn = (text: string, name: string) =>
  new RegExp(`\\b${name}="([^"<>]{1,200})"`).exec(text)?.[1]
const valueIn = (xml: string, name: string) =>
  new RegExp(`<${prefix}${name}\\s[^<>]{0,200}?\\bval="([^"<>]{1,200})"`).exec(xml)?.[1]

/**
 * Returns the lists of paragraph styles by the styles' IDs, also of styles that are based on another one.
 * Mammoth knows only the styles that a level of a list names.
 */
export function listsOfStyles(styles: string, numbering: string): Map<string, StyleList> {
  const levels = new Map<string, string>()
  for (const [, attributes = "", content = ""] of numbering.matchAll(level)) {
    const named = valueIn(content, "pStyle")
    const number = attributeIn(attributes, "ilvl")
    if (named !== undefined && number !== undefined) levels.set(named, number)
  }
  const known = new Map<string, { based?: string; list?: string; level?: string }>()
  for (const [, attributes = "", content = ""] of styles.matchAll(style)) {
    const id = attributeIn(attributes, "styleId")
    if (id === undefined || attributeIn(attributes, "type") !== "paragraph") continue
    const [based, list, own] = ["basedOn", "numId", "ilvl"].map((name) => valueIn(content, name))
    known.set(id, {
      ...(based === undefined ? {} : { based }),
      ...(list === undefined ? {} : { list }),
      ...(own === undefined ? {} : { level: own }),
    })
  }
  const lists = new Map<string, StyleList>()
  for (const id of known.keys()) {
    let at = known.get(id)
    let nearest: string | undefined
    for (let step = 0; at && at.list === undefined && step < maxChain; step++) {
      nearest ??= at.level
      at = at.based === undefined ? undefined : known.get(at.based)
    }
    // The list 0 takes a style out of the list of the style on which it is based.
    if (at?.list === undefined || at.list === "0") continue
    lists.set(id, { list: at.list, level: levels.get(id) ?? nearest ?? at.level ?? "0" })
  }
  return lists
}

const ownStyle = new RegExp(
  `<(${prefix})pStyle\\s[^<>]{0,200}?\\b(${prefix})val="([^"<>]{1,200})"[^<>]{0,200}/>`,
)
const ownList = new RegExp(`<${prefix}numPr(?=[\\s>])[\\s\\S]{0,400}?</${prefix}numPr>`)

/** Returns a part of a document whose paragraphs have the lists of their styles as their own. */
export function withListsOfStyles(xml: string, lists: ReadonlyMap<string, StyleList>): string {
  if (lists.size === 0) return xml
  return xml.replace(properties, (whole, _, content: string) => {
    // Properties before a tracked change are not the paragraph's.
    const [current = ""] = content.split(/<(?:[\w-]{1,20}:)?pPrChange\b/, 1)
    const [tag, element = "", attribute = "", id = ""] = ownStyle.exec(current) ?? []
    const list = lists.get(id)
    if (!list || tag === undefined || valueIn(current, "numId") !== undefined) return whole
    const level = valueIn(current, "ilvl") ?? list.level
    const item = (name: string, value: string) => `<${element}${name} ${attribute}val="${value}"/>`
    const written = `<${element}numPr>${item("ilvl", level)}${item("numId", list.list)}</${element}numPr>`
    return whole.replace(ownList, "").replace(tag, () => tag + written)
  })
}
