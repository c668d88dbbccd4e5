import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import {
  type Condition,
  type ConditionKind,
  changeConditions,
  conditionInWords,
  conditionWords,
} from "../../data/monitors.ts"
import { useTask } from "../../hooks/use-task.ts"
import { ErrorMessage } from "../error-message.tsx"

interface ConditionsProps {
  id: string
  conditions: Condition[]
  onChanged(): void
}

/** The conditions of a stored monitor. */
export function Conditions({ id, conditions, onChanged }: ConditionsProps) {
  const { busy, issue, run } = useTask()
  const save = (next: Condition[] | null) =>
    run(async () => {
      await changeConditions(id, next)
      onChanged()
    })
  return (
    <ConditionList conditions={conditions} busy={busy} onChange={save}>
      <ErrorMessage>{issue}</ErrorMessage>
      <button type="button" class="quiet" disabled={busy} onClick={() => save(null)}>
        Restore the scraper's conditions
      </button>
    </ConditionList>
  )
}

interface ConditionListProps {
  conditions: Condition[]
  busy: boolean
  onChange(conditions: Condition[]): void
  children?: ComponentChildren
}

/** An editable list of the conditions that send a notification. */
export function ConditionList({ conditions, busy, onChange, children }: ConditionListProps) {
  return (
    <section class="box" aria-labelledby="conditions">
      <h2 id="conditions">Notify me when …</h2>
      <ul class="lines">
        {conditions.map((condition, index) => (
          <li key={JSON.stringify(condition)}>
            {conditionInWords(condition)}
            <button
              type="button"
              class="quiet"
              disabled={busy}
              aria-label={`Remove: ${conditionInWords(condition)}`}
              onClick={() => onChange(conditions.filter((_, at) => at !== index))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      {conditions.length === 0 && <p class="muted">No notification is sent.</p>}
      <NewCondition busy={busy} onAdd={(added) => onChange([...conditions, added])} />
      {children}
    </section>
  )
}

function NewCondition({ busy, onAdd }: { busy: boolean; onAdd(added: Condition): void }) {
  const [when, setWhen] = useState<ConditionKind>("changed")
  const [, , needs] = conditionWords.find(([kind]) => kind === when)!
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const [amount, field] = [String(form.get("amount") ?? ""), String(form.get("field")).trim()]
    const needed = needs && amount ? { [needs]: needs === "text" ? amount : Number(amount) } : {}
    onAdd({ when, ...needed, ...(field && { field }) })
  }
  return (
    <form class="fields-in-row" onSubmit={submit}>
      <div class="field">
        <label for="condition">Condition</label>
        <select
          id="condition"
          value={when}
          onChange={(event) => setWhen(event.currentTarget.value as ConditionKind)}
        >
          {conditionWords.map(([kind, words]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </div>
      {needs && (
        <div class="field" key={needs}>
          <label for="amount">
            {{ value: "Value", percent: "Percent", days: "Days", text: "Text" }[needs]}
          </label>
          <input
            id="amount"
            name="amount"
            {...(needs === "text"
              ? { maxLength: 500 }
              : { type: "number", step: needs === "days" ? 1 : "any", required: true })}
          />
        </div>
      )}
      <div class="field">
        <label for="field">
          Field <span class="muted">default: the value</span>
        </label>
        <input id="field" name="field" maxLength={200} placeholder="price" />
      </div>
      <button type="submit" disabled={busy}>
        Add
      </button>
    </form>
  )
}
