interface SearchFieldProps {
  id: string
  label?: string
  placeholder: string
  value: string
  onChange(text: string): void
}

/** Searches a list while the user types. */
export function SearchField({
  id,
  label = "Search",
  placeholder,
  value,
  onChange,
}: SearchFieldProps) {
  return (
    <div class="field grow">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="search"
        placeholder={placeholder}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  )
}

interface SelectFieldProps {
  id: string
  label: string
  value: string
  options: readonly (readonly [value: string, text: string])[]
  onChange(value: string): void
}

/** A choice of options in a menu. */
export function SelectField({ id, label, value, options, onChange }: SelectFieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
