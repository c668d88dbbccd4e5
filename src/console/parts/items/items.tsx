import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { asRow } from "../../../base/own-fields.ts"
import { fieldsOf, type Schema } from "../../data/catalogue.ts"
import { type Item, isErrorItem } from "../../data/keyless.ts"
import { listedRows } from "../../data/page/page-call.ts"
import { Choice } from "../choice.tsx"
import { Copy } from "../copy.tsx"
import { CardImage } from "../image.tsx"
import { Value } from "../value.tsx"
import { Cell } from "./cell.tsx"

const rowView = ["rows", "Rows"] as const
const views = [
  ["table", "Table"],
  ["cards", "Cards"],
  ["json", "JSON"],
] as const
type View = (typeof views)[number][0] | "rows"

/** Maximum displayed items, because more would slow down the tab; the JSON contains all. */
const maxVisible = 200
const maxJson = 300_000

interface ItemsProps {
  items: Item[]
  schema: Schema
  /** Initial view. A single item is easier to read as a card than as a wide table. */
  first?: View
}

/** Items as a table, cards or JSON. */
export function Items({ items, schema, first }: ItemsProps) {
  const [chosen, choose] = useState<View>()
  const good = items.filter((item) => !isErrorItem(item)).map((item) => ownAtTop(item, schema))
  const failed = items.filter(isErrorItem)
  const rows = good.flatMap(listedRows)
  const usual = rows.length > 0 ? "rows" : good.length > 1 && !isNarrow() ? "table" : "cards"
  const view = chosen ?? first ?? usual
  const json = JSON.stringify(items, null, 2)
  return (
    <>
      <div class="bar">
        <Choice
          label="Show as"
          options={rows.length > 0 ? [rowView, ...views] : views}
          value={view}
          onChange={choose}
        />
        <Copy text={json} label="Copy JSON" />
      </div>
      {failed.map((item, index) => (
        <p class="notice bad" key={index}>
          <strong>{item.error.code.replaceAll("_", " ")}</strong>: {item.error.message}{" "}
          <span class="muted">{String(item.url ?? item.input ?? "")}</span>
        </p>
      ))}
      {view === "json" && <Json text={json} />}
      {view === "rows" && <Table items={rows.slice(0, maxVisible)} schema={{}} />}
      {view !== "json" && good.length > maxVisible && (
        <p class="muted">
          The first {maxVisible} of {good.length}; all are in the JSON.
        </p>
      )}
      {view === "table" && good.length > 0 && (
        <Table items={good.slice(0, maxVisible)} schema={schema} />
      )}
      {view === "cards" && (
        <div class="items">
          {good.slice(0, maxVisible).map((item, index) => (
            <Card key={index} item={item} schema={schema} />
          ))}
        </div>
      )}
    </>
  )
}

/** Moves the fields that a call named out of `data`, because they are the columns. */
function ownAtTop(item: Item, { properties = {} }: Schema): Item {
  const { data } = item
  if (!properties.data || typeof data !== "object" || data === null) return item
  const own = Object.keys(data)
    .filter((name) => !(name in properties))
    .map((name) => ({ name, at: ["data", name] }))
  return asRow(item, own, false)
}

function Json({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <pre class="tall" tabIndex={0}>
      <code>{text.length > maxJson ? `${text.slice(0, maxJson)}\n…` : text}</code>
    </pre>
  )
}

/** On a phone a table shows only one or two columns, so that cards are better. */
const isNarrow = () => matchMedia("(max-width: 40rem)").matches

const isFilled = (value: unknown) =>
  value !== null && value !== undefined && value !== "" && !(Array.isArray(value) && !value.length)

/** The fields that at least one item has, in the order of the schema. */
function namesOf(items: Item[], schema: Schema): string[] {
  const known = fieldsOf(schema).map(([name]) => name)
  const own = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const isKnown = known.length > 0 && own.every((name) => name in (schema.properties ?? {}))
  const all = isKnown ? known : own
  return all.filter((name) => items.some((item) => isFilled(item[name])))
}

function Table({ items, schema }: { items: Item[]; schema: Schema }) {
  const names = namesOf(items, schema)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="scroll" tabIndex={0} aria-label="Items as a table">
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th
                key={name}
                scope="col"
                class={items.some((item) => typeof item[name] === "number") ? "number" : undefined}
                title={schema.properties?.[name]?.description}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={index}>
              {names.map((name) => (
                <td key={name} class={typeof item[name] === "number" ? "number" : undefined}>
                  <Cell item={item} name={name} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Fields that may contain the title of an item. */
const titleFields = ["title", "name", "fullName", "headline", "displayName"]

function Card({ item, schema }: { item: Item; schema: Schema }) {
  const titled = titleFields.find((name) => schema.properties?.[name] && isFilled(item[name]))
  return (
    <article class="item">
      <CardImage item={item} names={Object.keys(item)} />
      {titled && <h3>{String(item[titled]).slice(0, 200)}</h3>}
      <FactList
        facts={namesOf([item], schema)
          .filter((name) => name !== titled)
          .map((name) => [name, <Cell key={name} item={item} name={name} />])}
      />
    </article>
  )
}

/** Values with their names. */
export function Facts({ facts }: { facts: [name: string, value: unknown][] }) {
  return (
    <FactList facts={facts.map(([name, value]) => [name, <Value key={name} value={value} />])} />
  )
}

function FactList({ facts }: { facts: [name: string, visible: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {facts.map(([name, visible]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{visible}</dd>
        </div>
      ))}
    </dl>
  )
}
