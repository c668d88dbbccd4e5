import { useEffect, useState } from "preact/hooks"
import * as api from "../data/notifications.ts"
import { account } from "../data/shell.ts"
import { useStored } from "../hooks/use-stored.ts"
import { useTask } from "../hooks/use-task.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ConfirmButton } from "../parts/confirm.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { LoadError } from "../parts/not-loaded.tsx"
import { Secret } from "../parts/secret.tsx"
import { Deliveries } from "../parts/watching/deliveries.tsx"
import { Events, eventsOf } from "../parts/watching/events.tsx"
import { go, Link } from "../routing/router.tsx"

/** One notification channel, its deliveries and the responses of its receiver. */
export function NotificationScreen({ id }: { id: string }) {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    document.title = "Notification · Trawl"
  }, [])
  const loaded = useStored(
    async (signal) => (account === undefined ? undefined : api.channelOf(id, signal)),
    [id, changes],
  )
  if (account === undefined) return <SignInFirst title="Notification" />
  if (loaded.state === "failed") {
    return (
      <LoadError {...loaded} what="channel">
        <Link to="/notifications">All channels</Link>
      </LoadError>
    )
  }
  if (loaded.state === "loading" || !loaded.value) return <h1 class="muted">Notification</h1>
  const changed = () => setChanges((count) => count + 1)
  return (
    <>
      <Known of={loaded.value} onChanged={changed} />
      <Deliveries of={loaded.value} changes={changes} onChanged={changed} />
      <CodeSnippet call={{ path: api.deliveriesPath(id), needsKey: true }} />
    </>
  )
}

interface TemplateFormProps {
  of: api.Channel
  busy: boolean
  onSave(template: api.Template | null): void
}

/** Title and text of notifications in the user's own words. */
function TemplateForm({ of: { template }, busy, onSave }: TemplateFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const filled = ["title", "text"]
      .map((name) => [name, String(form.get(name)).trim()] as const)
      .filter(([, text]) => text !== "")
    onSave(filled.length > 0 ? Object.fromEntries(filled) : null)
  }
  return (
    <details open={template !== null}>
      <summary>Message template</summary>
      <form class="box after-title" onSubmit={submit} key={JSON.stringify(template)}>
        <p class="help" id="placeholders">
          Leave both empty for the default text. Placeholders: <code>{api.placeholders}</code>
        </p>
        <div class="field">
          <label for="template-title">Title</label>
          <input
            id="template-title"
            name="title"
            maxLength={200}
            aria-describedby="placeholders"
            placeholder="{monitor}: {name}"
            defaultValue={template?.title ?? ""}
          />
        </div>
        <div class="field">
          <label for="template-text">Text</label>
          <textarea
            id="template-text"
            name="text"
            rows={3}
            maxLength={2000}
            aria-describedby="placeholders"
            placeholder="{name}: {old} → {new} {url}"
            defaultValue={template?.text ?? ""}
          />
        </div>
        <div class="actions">
          <button type="submit" disabled={busy}>
            Save the template
          </button>
        </div>
      </form>
    </details>
  )
}

function Known({ of, onChanged }: { of: api.Channel; onChanged(): void }) {
  const { busy, issue, run } = useTask()
  const [notice, setNotice] = useState("")
  const [secret, setSecret] = useState<string>()
  const [requested, setRequested] = useState(false)
  const { id, kind, enabled } = of
  const doing = (work: () => Promise<unknown>) => () => {
    setNotice("")
    return run(async () => {
      try {
        await work()
      } finally {
        // The list of deliveries shows a failed test as well.
        onChanged()
      }
    })
  }
  const test = doing(async () => {
    const { state, tries } = await api.testChannel(id)
    const { status = null, error = null } = tries.at(-1) ?? {}
    if (state !== "delivered") {
      throw new Error(`The test failed: ${(error ?? `status ${status}`).replace(/\.$/, "")}.`)
    }
    setNotice(`The test succeeded${status ? `: status ${status}` : ""}.`)
  })
  const rotate = doing(async () => setSecret((await api.rotateSecret(id)).secret))
  const choose = (event: SubmitEvent) => {
    event.preventDefault()
    const events = eventsOf(new FormData(event.currentTarget as HTMLFormElement))
    void doing(() => api.changeChannel(id, { events }))()
  }
  return (
    <>
      <p class="crumbs">
        <Link to="/notifications">Notifications</Link> / {id}
      </p>
      <h1>{of.name || api.kindName(kind)}</h1>
      <div class="bar after-title">
        <p class="count">
          <span class={`status ${enabled ? "succeeded" : ""}`}>{enabled ? "on" : "off"}</span>
          <span class="muted">{of.target}</span>
        </p>
        <div class="actions">
          <button type="button" disabled={busy} onClick={test}>
            Send a test
          </button>
          <button
            type="button"
            disabled={busy}
            onClick={doing(() => api.changeChannel(id, { enabled: !enabled }))}
          >
            {enabled ? "Switch off" : "Switch on"}
          </button>
          {kind === "webhook" && (
            <button type="button" disabled={busy} onClick={rotate}>
              New secret
            </button>
          )}
          <button type="button" class="danger" onClick={() => setRequested(true)}>
            Delete …
          </button>
        </div>
      </div>
      <ErrorMessage>{issue || of.disabledReason || ""}</ErrorMessage>
      <div aria-live="polite">
        {notice && <p class="notice">{notice}</p>}
        {secret && <Secret text={secret} what="the new secret" />}
      </div>
      <form class="box fields-in-row" onSubmit={choose} key={of.events.join()}>
        <Events chosen={of.events} />
        <button type="submit" disabled={busy}>
          Save the events
        </button>
      </form>
      {kind !== "webhook" && (
        <TemplateForm
          of={of}
          busy={busy}
          onSave={(template) => doing(() => api.changeChannel(id, { template }))()}
        />
      )}
      {requested && (
        <ConfirmButton
          title="Delete this channel?"
          act="Delete it"
          onClose={() => setRequested(false)}
          onConfirm={async () => {
            await api.deleteChannel(id)
            go("/notifications")
          }}
        >
          Its deliveries are deleted as well. To keep them, switch the channel off instead.
        </ConfirmButton>
      )}
    </>
  )
}
