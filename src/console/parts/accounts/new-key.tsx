import { useState } from "preact/hooks"
import { makeKey, type Scope } from "../../data/account.ts"
import { isOwner } from "../../data/shell.ts"
import { useTask } from "../../hooks/use-task.ts"
import { ErrorMessage } from "../error-message.tsx"
import { Secret } from "../secret.tsx"

const scopes: readonly [Scope, string][] = [
  ["run", "start and change runs"],
  ["read", "read runs and items"],
  ["admin", "operate the service"],
]
const lives = [
  ["", "Never"],
  ["7", "In a week"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
] as const

/** Creates a key and displays it once. */
export function NewKey({ onMade }: { onMade(): void }) {
  const [made, setMade] = useState<string>()
  const { busy, issue, run } = useTask()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const [days, limit] = [Number(form.get("days")), Number(form.get("limit"))]
    void run(async () => {
      const { apiKey } = await makeKey({
        name: String(form.get("name")).trim() || "API key",
        scopes: form.getAll("scope") as Scope[],
        ...(days > 0 && { expiresAt: new Date(Date.now() + days * 86_400_000).toISOString() }),
        ...(limit > 0 && { creditLimit: limit }),
      })
      setMade(apiKey)
      onMade()
    })
  }
  return (
    <section class="box" aria-labelledby="new-key">
      <h2 id="new-key">New key</h2>
      <form class="fields-in-row" onSubmit={submit}>
        <div class="field grow">
          <label for="key-name">Name</label>
          <input id="key-name" name="name" maxLength={100} placeholder="Laptop, agent, cron …" />
        </div>
        <div class="field">
          <label for="key-days">Expires</label>
          <select id="key-days" name="days">
            {lives.map(([days, text]) => (
              <option key={days} value={days}>
                {text}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="key-limit">
            Credits <span class="muted">at most</span>
          </label>
          <input id="key-limit" name="limit" type="number" min={1} placeholder="no limit" />
        </div>
        <fieldset class="plain">
          <legend>It may</legend>
          <div class="choices">
            {scopes.slice(0, isOwner ? 3 : 2).map(([scope, text]) => (
              <label class="check" key={scope}>
                <input
                  type="checkbox"
                  name="scope"
                  value={scope}
                  defaultChecked={scope !== "admin"}
                />
                {text}
              </label>
            ))}
          </div>
        </fieldset>
        <button type="submit" class="main" disabled={busy}>
          Create the key
        </button>
      </form>
      <ErrorMessage>{issue}</ErrorMessage>
      <div aria-live="polite">{made && <Secret text={made} what="the key" />}</div>
    </section>
  )
}
