import type { Schema } from "../../data/catalogue.ts"

export interface InputFieldProps {
  name: string
  schema: Schema
  required: boolean
  value: unknown
  issues: string[]
  onChange(value: unknown): void
}

/** One field of a scraper's input, made from its schema. */
export function InputField(props: InputFieldProps) {
  const { name, schema, required, issues } = props
  const id = `input-${name}`
  const isCheck = schema.type === "boolean"
  const help = [schema.description, hintOf(schema)].filter(Boolean).join(" ")
  return (
    <div class="field">
      {isCheck ? (
        <label class="check" for={id}>
          <Control {...props} id={id} /> {wordsOf(name)}
        </label>
      ) : (
        <label for={id}>
          {wordsOf(name)} {required && <span class="muted">required</span>}
        </label>
      )}
      {!isCheck && <Control {...props} id={id} />}
      {issues.length > 0 && (
        <p class="fault" id={`${id}-fault`}>
          {issues.join(" ")}
        </p>
      )}
      {help && (
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </div>
  )
}

function Control({
  id,
  schema,
  value,
  required,
  issues,
  onChange,
}: InputFieldProps & { id: string }) {
  const reported = issues.length > 0 ? `${id}-fault ${id}-help` : `${id}-help`
  const common = {
    id,
    "aria-describedby": reported,
    ...(issues.length > 0 && { "aria-invalid": true as const }),
  }
  if (schema.type === "boolean") {
    return (
      <input
        {...common}
        type="checkbox"
        checked={(value ?? schema.default) === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    )
  }
  if (schema.enum) {
    return (
      <select
        {...common}
        value={String(value ?? schema.default ?? "")}
        onChange={(event) => onChange(event.currentTarget.value || undefined)}
      >
        {schema.default === undefined && <option value="">Any</option>}
        {schema.enum.map((option) => (
          <option key={option} value={String(option)}>
            {option}
          </option>
        ))}
      </select>
    )
  }
  if (schema.type === "array" && schema.items?.enum) {
    return (
      <Choices
        {...common}
        options={schema.items.enum.map(String)}
        value={listOf(value)}
        onChange={onChange}
      />
    )
  }
  if (schema.type === "array") {
    return (
      <textarea
        {...common}
        rows={Math.min(8, Math.max(2, listOf(value).length + 1))}
        spellcheck={false}
        required={required}
        value={listOf(value).join("\n")}
        onInput={(event) => onChange(event.currentTarget.value.split("\n"))}
      />
    )
  }
  if (schema.type === "object") {
    return (
      <textarea
        {...common}
        rows={4}
        spellcheck={false}
        required={required}
        placeholder="{ }"
        value={typeof value === "object" ? JSON.stringify(value) : String(value ?? "")}
        onInput={(event) => onChange(event.currentTarget.value || undefined)}
      />
    )
  }
  const written = {
    ...common,
    required,
    ...(schema.default !== undefined && { placeholder: String(schema.default) }),
    value: value === undefined ? "" : String(value),
  }
  if (schema.type === "integer" || schema.type === "number") {
    return (
      <input
        {...written}
        type="number"
        {...(schema.minimum !== undefined && { min: schema.minimum })}
        {...(schema.maximum !== undefined && { max: schema.maximum })}
        step={schema.type === "integer" ? 1 : "any"}
        onInput={({ currentTarget: { value: text } }) =>
          onChange(text === "" ? undefined : Number(text))
        }
      />
    )
  }
  return (
    <input
      {...written}
      type="text"
      onInput={(event) => onChange(event.currentTarget.value || undefined)}
    />
  )
}

interface ChoicesProps {
  id: string
  options: string[]
  value: string[]
  onChange(value: string[]): void
}

function Choices({ id, options, value, onChange }: ChoicesProps) {
  return (
    <div class="choices" id={id}>
      {options.map((option) => (
        <label class="check" key={option}>
          <input
            type="checkbox"
            checked={value.includes(option)}
            onChange={(event) =>
              onChange(
                event.currentTarget.checked
                  ? [...value, option]
                  : value.filter((chosen) => chosen !== option),
              )
            }
          />
          {option}
        </label>
      ))}
    </div>
  )
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** Returns a field's name as words, for example "Max results" for `maxResults`. */
export const wordsOf = (name: string) => {
  const words = name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()
  return words[0]!.toUpperCase() + words.slice(1)
}

function hintOf({ type, items, maxItems, minimum, maximum, properties = {} }: Schema): string {
  if (type === "array" && !items?.enum)
    return `One a line${maxItems ? `, at most ${maxItems.toLocaleString()}` : ""}.`
  if (minimum !== undefined && maximum !== undefined)
    return `From ${minimum} to ${maximum.toLocaleString()}.`
  if (type === "object") {
    const names = Object.keys(properties)
    return names.length > 0 ? `As JSON, with ${names.join(", ")}.` : "As JSON."
  }
  return ""
}
