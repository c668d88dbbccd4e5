interface ChoiceProps<T extends string> {
  label: string
  options: readonly (readonly [value: T, text: string])[]
  value: NoInfer<T>
  onChange(value: NoInfer<T>): void
}

/** One of a few, all of them seen. */
export function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {options.map(([one, text]) => (
        <button key={one} type="button" aria-pressed={one === value} onClick={() => onChange(one)}>
          {text}
        </button>
      ))}
    </fieldset>
  )
}
