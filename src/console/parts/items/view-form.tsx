import { useState } from "preact/hooks"

interface ViewFormProps {
  columns: string[]
  filter: string
  sort: string
  onFilter(filter: string): void
  onSort(sort: string): void
}

/** Filter and order of the rows, in the API's syntax. */
export function ViewForm({ columns, filter, sort, onFilter, onSort }: ViewFormProps) {
  const [text, setText] = useState(filter)
  const known = sort.replace(/^-/, "")
  const names = known && !columns.includes(known) ? [...columns, known] : columns
  const submit = (event: Event) => {
    event.preventDefault()
    onFilter(text.trim())
  }
  return (
    <form class="fields-in-row" onSubmit={submit}>
      <div class="field grow">
        <label for="filter">
          Filter <span class="muted">for example price&lt;20, title~oak or !error</span>
        </label>
        <div class="row">
          <input
            id="filter"
            type="text"
            spellcheck={false}
            autocomplete="off"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit">Apply</button>
        </div>
      </div>
      <div class="field">
        <label for="sort">Order</label>
        <select id="sort" value={sort} onChange={(event) => onSort(event.currentTarget.value)}>
          <option value="">Original order</option>
          {names.flatMap((name) => [
            <option key={name} value={name}>
              {name}, upwards
            </option>,
            <option key={`-${name}`} value={`-${name}`}>
              {name}, downwards
            </option>,
          ])}
        </select>
      </div>
    </form>
  )
}
