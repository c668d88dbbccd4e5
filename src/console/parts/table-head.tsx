interface TableHeadProps {
  names: readonly string[]
  /** The names of columns of numbers, which are aligned right. */
  numbers?: readonly string[]
  /** The name of the last column for screen readers only. */
  last?: string
}

/** The names of a table's columns. */
export function TableHead({ names, numbers = [], last }: TableHeadProps) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col" key={name} class={numbers.includes(name) ? "number" : undefined}>
            {name}
          </th>
        ))}
        {last && (
          <th scope="col">
            <span class="unseen">{last}</span>
          </th>
        )}
      </tr>
    </thead>
  )
}
