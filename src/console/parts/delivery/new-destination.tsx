import { useState } from "preact/hooks"
import {
  type DestinationKind,
  examples,
  type FieldName,
  fields,
  kinds,
  makeDestination,
  timings,
} from "../../data/destinations.ts"
import { isOwner } from "../../data/shell.ts"
import { useTask } from "../../hooks/use-task.ts"
import { ErrorMessage } from "../error-message.tsx"
import { SelectField } from "../fields.tsx"
import { Secret } from "../secret.tsx"

const formats = [
  ["jsonl", "JSON Lines"],
  ["csv", "CSV"],
  ["parquet", "Parquet"],
] as const

/** Adds a destination. */
export function NewDestination({ onMade }: { onMade(): void }) {
  const { busy, issue, run } = useTask()
  const [kind, setKind] = useState<DestinationKind>("postgres")
  const [deliver, setDeliver] = useState("")
  const [secret, setSecret] = useState<string>()
  const [, , names] = kinds.find(([one]) => one === kind)!
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const terms = termsOf(new FormData(form))
    void run(async () => {
      setSecret(undefined)
      const made = await makeDestination({ ...terms, kind, ...(deliver && { deliver }) })
      setSecret(made.signingSecret)
      form.reset()
      onMade()
    })
  }
  return (
    <section aria-labelledby="new-destination">
      <h2 id="new-destination">Add a destination</h2>
      <form class="box fields-in-row" onSubmit={submit} key={kind}>
        <SelectField
          id="destination-kind"
          label="Kind"
          value={kind}
          options={kinds
            .filter(([one]) => isOwner || one !== "folder")
            .map(([one, text]) => [one, text] as const)}
          onChange={(value) => setKind(value as DestinationKind)}
        />
        <div class="field">
          <label for="destination-name">Name</label>
          <input
            id="destination-name"
            name="name"
            required
            maxLength={63}
            pattern="[a-z0-9][a-z0-9._\-]*"
            title="Small letters, digits, . _ -"
            placeholder="warehouse"
          />
        </div>
        {names.map((name) => (
          <Field key={name} kind={kind} of={name} />
        ))}
        <SelectField
          id="destination-deliver"
          label="Deliver"
          value={deliver}
          options={[["", "default of the kind"], ...timings]}
          onChange={setDeliver}
        />
        <div class="field">
          <label for="destination-scraper">
            All runs of <span class="muted">optional</span>
          </label>
          <input id="destination-scraper" name="scraper" placeholder="slug of a scraper" />
        </div>
        <button type="submit" class="main" disabled={busy}>
          Add
        </button>
      </form>
      <ErrorMessage>{issue}</ErrorMessage>
      <div aria-live="polite">
        {secret && <Secret text={secret} what="the secret that signs its requests" />}
      </div>
    </section>
  )
}

function Field({ kind, of }: { kind: DestinationKind; of: FieldName | `${FieldName}?` }) {
  const name = of.replace("?", "") as FieldName
  const isOptional = of.endsWith("?")
  const { label, type } = fields[name]
  const id = `destination-${name}`
  if (name === "format") {
    return (
      <div class="field">
        <label for={id}>{label}</label>
        <select id={id} name={name}>
          {formats.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
    )
  }
  const common = {
    id,
    name,
    autocomplete: "off",
    required: !isOptional,
    placeholder: examples[`${kind} ${name}`] ?? "",
  } as const
  return (
    <div class="field">
      <label for={id}>
        {label} {isOptional && <span class="muted">optional</span>}
      </label>
      {type === "password" ? <input type="password" {...common} /> : <input {...common} />}
    </div>
  )
}

function termsOf(form: FormData): Record<string, unknown> {
  const filled = [...form].flatMap(([name, value]) => {
    const text = String(value).trim()
    if (text === "") return []
    return [[name, name === "uniqueBy" ? text.split(",").map((part) => part.trim()) : text]]
  })
  return Object.fromEntries(filled)
}
