import { useState } from "preact/hooks"
import { type Kind, kinds, makeChannel } from "../../data/notifications.ts"
import { browserName, canSubscribe, subscription } from "../../data/push.ts"
import { useTask } from "../../hooks/use-task.ts"
import { ErrorMessage } from "../error-message.tsx"
import { SelectField } from "../fields.tsx"
import { Secret } from "../secret.tsx"
import { Events, eventsOf } from "./events.tsx"

const fields = {
  url: { label: "URL", help: "", type: "url", placeholder: "https://…" },
  token: { label: "Token", help: "if it needs one", type: "password", placeholder: "" },
  room: { label: "Room", help: "", type: "text", placeholder: "!id:server" },
  user: { label: "User key", help: "", type: "text", placeholder: "" },
  to: { label: "To", help: "commas between", type: "text", placeholder: "ada@example.com" },
} as const

const examples: Partial<Record<Kind, string>> = {
  ntfy: "https://ntfy.sh/my-topic",
  slack: "https://hooks.slack.com/services/…",
  discord: "https://discord.com/api/webhooks/…",
  matrix: "https://matrix.example.org",
}

/** Channels that work only with a token. */
const tokenKinds: readonly Kind[] = ["telegram", "pushover"]

/** Adds a channel for notifications. */
export function NewChannel({ onMade }: { onMade(): void }) {
  const [kind, setKind] = useState<Kind>("email")
  const [secret, setSecret] = useState<string>()
  const { busy, issue, run } = useTask()
  const needs = kinds.find(([name]) => name === kind)?.[2] ?? []
  const isMissing = kind === "browser" && !canSubscribe
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const element = event.currentTarget as HTMLFormElement
    const form = new FormData(element)
    const texts = Object.fromEntries(
      ["name", ...needs]
        .map((name) => [name, String(form.get(name) ?? "").trim()] as const)
        .filter(([, text]) => text !== ""),
    )
    const { to, ...rest } = texts
    void run(async () => {
      const made = await makeChannel({
        kind,
        ...(kind === "browser" && { name: browserName(), ...(await subscription()) }),
        ...rest,
        ...(to && { to: to.split(/[\s,;]+/).filter(Boolean) }),
        events: eventsOf(form),
      })
      setSecret(made.secret)
      element.reset()
      onMade()
    })
  }
  return (
    <section class="box" aria-labelledby="new-channel">
      <h2 id="new-channel">Add a channel</h2>
      <form class="fields-in-row" onSubmit={submit}>
        <SelectField
          id="kind"
          label="Kind"
          value={kind}
          options={kinds.map(([name, words]) => [name, words] as const)}
          onChange={(value) => setKind(value as Kind)}
        />
        {needs.map((name) => {
          const { label, help: usual, ...rest } = fields[name]
          const help = name === "token" && tokenKinds.includes(kind) ? "" : usual
          return (
            <div class="field grow" key={name}>
              <label for={`channel-${name}`}>
                {name === "room" && kind === "telegram" ? "Chat ID" : label}{" "}
                {help && <span class="muted">{help}</span>}
              </label>
              <input
                id={`channel-${name}`}
                name={name}
                autocomplete="off"
                required={help === ""}
                {...rest}
                placeholder={(name === "url" && examples[kind]) || rest.placeholder}
              />
            </div>
          )
        })}
        <div class="field">
          <label for="channel-name">
            Name <span class="muted">optional</span>
          </label>
          <input id="channel-name" name="name" maxLength={200} />
        </div>
        <Events />
        <button type="submit" class="main" disabled={busy || isMissing}>
          Add
        </button>
      </form>
      {kind === "browser" && (
        <p class={isMissing ? "notice bad" : "help"}>
          {isMissing
            ? "This browser cannot receive push messages from this URL. Open the console over HTTPS, in a browser with Web Push."
            : "The browser asks for your permission, and displays messages even if this page is closed."}
        </p>
      )}
      <ErrorMessage>{issue}</ErrorMessage>
      <div aria-live="polite">
        {secret && <Secret text={secret} what="the secret that signs its requests" />}
      </div>
    </section>
  )
}
