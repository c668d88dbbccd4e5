/** Numbers with their names. */
export function Figures({
  of,
}: {
  of: readonly (readonly [name: string, value: string | number])[]
}) {
  return (
    <dl class="figures">
      {of.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "number" ? value.toLocaleString() : value}</dd>
        </div>
      ))}
    </dl>
  )
}
