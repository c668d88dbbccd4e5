import { sessions } from "../../data/sessions.ts"
import { account } from "../../data/shell.ts"
import { useLoaded } from "../../hooks/use-loaded.ts"
import { SelectField } from "../fields.tsx"

interface SessionFieldProps {
  value: string
  onChange(name: string): void
}

/** Chooses the session of a run; empty without sessions. */
export function SessionField({ value, onChange }: SessionFieldProps) {
  const loaded = useLoaded(
    async (signal) => (account === undefined ? [] : (await sessions(signal)).items),
    [],
  )
  const all = loaded.state === "there" ? loaded.value : []
  if (all.length === 0) return null
  return (
    <SelectField
      id="session"
      label="Sign in with the session"
      value={value}
      options={[
        ["", "no session"],
        ...all.map(
          ({ name, status }) => [name, status === "expired" ? `${name} (expired)` : name] as const,
        ),
      ]}
      onChange={onChange}
    />
  )
}
