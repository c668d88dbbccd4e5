import type { Schema } from "../../data/catalogue.ts"

interface ColumnChoiceProps {
  all: string[]
  chosen: string[]
  schema: Schema
  onChange(chosen: string[]): void
}

/** Chooses the columns, in the order of the schema; at least one stays. */
export function ColumnChoice({ all, chosen, schema, onChange }: ColumnChoiceProps) {
  if (all.length < 2) return null
  return (
    <details class="columns">
      <summary>
        Columns{" "}
        <span class="muted">
          {chosen.length} of {all.length}
        </span>
      </summary>
      <fieldset class="plain tools">
        <legend class="unseen">Columns</legend>
        <div class="actions">
          <button type="button" class="quiet" onClick={() => onChange(all)}>
            All of them
          </button>
        </div>
        <div class="grid">
          {all.map((name) => (
            <label class="check" key={name} title={schema.properties?.[name]?.description}>
              <input
                type="checkbox"
                checked={chosen.includes(name)}
                disabled={chosen.length === 1 && chosen[0] === name}
                onChange={(event) => {
                  const isWanted = event.currentTarget.checked
                  onChange(
                    all.filter((column) => (column === name ? isWanted : chosen.includes(column))),
                  )
                }}
              />
              {name}
            </label>
          ))}
        </div>
      </fieldset>
    </details>
  )
}
