interface ChoiceProps<T extends string> {
  label: string
  options: readonly (readonly [value: T, text: string])[]
  value: NoInfer<T>
  onChange(value: NoInfer<T>): void
}

/** A choice of a few options, all visible. */
export function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {options.map(([name, text]) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === value}
          onClick={() => onChange(name)}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}
