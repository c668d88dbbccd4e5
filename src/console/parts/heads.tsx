interface HeadsProps {
  names: readonly string[]
  /** Those over numbers, which stand at the right. */
  numbers?: readonly string[]
  /** What the last column does, where nobody need see its name. */
  last?: string
}

/** The names of a table's columns. */
export function Heads({ names, numbers = [], last }: HeadsProps) {
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
