import { parquetLibrary } from "./parquet-library.ts"
import {
  elementsOf,
  fitted,
  type Kind,
  kindOfSchema,
  kindOfValue,
  leavesOf,
  merged,
  Unfit,
} from "./parquet-types.ts"
import {
  addFilled,
  lookAhead,
  lookAheadCharacters,
  pick,
  restColumn,
  type TableOptions,
} from "./table.ts"

type Item = Record<string, unknown>
type Columns = Map<string, Kind>

/** Maximum columns; further fields are in a last column as JSON. */
const maxLeaves = 1000

const errorColumns: [string, Kind][] = [
  ["input", { is: "text" }],
  ["url", { is: "text" }],
  ["statusCode", { is: "integer" }],
  ["error", { is: "group", fields: { code: { is: "text" }, message: { is: "text" } } }],
]

/**
 * Yields items as a Parquet file, row group by row group, created while it is sent. Columns have
 * the types of the schema, including nested ones. Other columns are inferred from the first 2,000
 * items (fewer if items are large). Values that do not fit their column and later new fields are in
 * a last column as JSON.
 */
export async function* parquet(
  items: AsyncIterable<Item>,
  options: TableOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { ByteWriter, ParquetWriter } = await parquetLibrary()
  const rows = grouped(picked(items, options))
  const { value: first = [] } = await rows.next()
  let next = await rows.next()
  const columns = columnsOf(first, options, filledIn(first, next.done === true, options))
  const elements = [...columns].flatMap(([name, kind]) => elementsOf(name, kind))
  const writer = new ByteWriter()
  const root = { name: "items", num_children: columns.size }
  const file = new ParquetWriter({ writer, schema: [root, ...elements], createdBy: "Trawl" })
  const written = () => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  for (let group = first; ; next = await rows.next()) {
    if (group.length > 0) {
      await file.write({ columnData: columnData(group, columns), rowGroupSize: group.length })
    }
    yield written()
    if (next.done) break
    group = next.value
  }
  await file.finish()
  yield written()
}

async function* picked(items: AsyncIterable<Item>, options: TableOptions) {
  for await (const item of items) yield pick(item, options)
}

/**
 * Yields groups of items. A group is in memory until it is written; the first one determines the
 * columns.
 */
async function* grouped(items: AsyncIterable<Item>): AsyncGenerator<Item[], undefined> {
  let group: Item[] = []
  let characters = 0
  for await (const item of items) {
    group.push(item)
    characters += JSON.stringify(item).length
    if (group.length < lookAhead && characters < lookAheadCharacters) continue
    yield group
    group = []
    characters = 0
  }
  if (group.length > 0) yield group
}

/** Returns the columns that items fill; undefined if empty columns are written, too. */
function filledIn(
  first: Item[],
  isWhole: boolean,
  { columns, filled }: TableOptions,
): Set<string> | undefined {
  if (columns !== "filled" || first.length === 0 || !(filled || isWhole)) return undefined
  const paths = new Set(filled)
  for (const item of first) addFilled(item, {}, paths)
  return new Set([...paths].map((path) => path.split(".")[0]!))
}

function columnsOf(
  items: Item[],
  { schema, fields, omit, errors }: TableOptions,
  filled: Set<string> | undefined,
): Columns {
  const kinds: Columns = new Map()
  for (const item of items) {
    for (const [name, value] of Object.entries(item)) {
      const kind = kindOfValue(value)
      const before = kinds.get(name)
      if (kind) kinds.set(name, before ? merged(before, kind) : kind)
    }
  }
  const forms = (schema.anyOf ?? [schema]) as TableOptions["schema"][]
  const named = forms.flatMap((form) => Object.entries(form.properties ?? {}))
  const all: Columns = new Map(errors ? errorColumns : [])
  for (const [name, field] of named) {
    const kind = kindOfSchema(field as TableOptions["schema"]) ?? kinds.get(name) ?? { is: "json" }
    const before = all.get(name)
    all.set(name, before ? merged(before, kind) : kind)
  }
  for (const [name, kind] of kinds) if (!all.has(name)) all.set(name, kind)
  const order = fields ?? [...named.map(([name]) => name), ...kinds.keys(), ...all.keys()]
  const columns: Columns = new Map()
  let leaves = 0
  for (const name of new Set(order)) {
    if (filled && !filled.has(name)) continue
    const kind = all.get(name) ?? { is: "json" }
    leaves += leavesOf(kind)
    if (!omit?.includes(name) && leaves <= maxLeaves) columns.set(name, kind)
  }
  return columns.set(restColumn, { is: "json" })
}

/** Returns the values of each column; values that do not fit are in the last column. */
function columnData(items: Item[], columns: Columns) {
  const rests: (Item | null)[] = items.map(() => null)
  const names = [...columns.keys()].filter((name) => name !== restColumn)
  const data = names.map((name) => {
    const kind = columns.get(name)!
    const values = items.map(({ [name]: value }, row) => {
      try {
        return fitted(value, kind)
      } catch (error) {
        if (!(error instanceof Unfit)) throw error
        rests[row] = { ...rests[row], [name]: value }
        return null
      }
    })
    return { name, data: values }
  })
  for (const [row, item] of items.entries()) {
    const others = Object.entries(item).filter(([name]) => !columns.has(name))
    if (others.length > 0) rests[row] = { ...rests[row], ...Object.fromEntries(others) }
  }
  return [...data, { name: restColumn, data: rests }]
}
