import { type Destination, destinations } from "../../data/destinations.ts"
import { account } from "../../data/shell.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { SelectField } from "../fields.tsx"

interface DestinationFieldProps {
  value: string
  onChange(name: string): void
}

/** Chooses the destination of a run; empty without destinations. */
export function DestinationField({ value, onChange }: DestinationFieldProps) {
  const loaded = useLoaded(
    async (signal) => (account === undefined ? [] : (await destinations(signal)).items),
    [],
  )
  const usable: Destination[] =
    loaded.state === "there" ? loaded.value.filter(({ enabled }) => enabled) : []
  if (usable.length === 0) return null
  return (
    <SelectField
      id="destination"
      label="Deliver the items to"
      value={value}
      options={[["", "no destination"], ...usable.map(({ name }) => [name, name] as const)]}
      onChange={onChange}
    />
  )
}
