import { useEffect, useState } from "preact/hooks"
import {
  changeSession,
  deleteSession,
  logInAgain,
  type Session,
  sessions,
  sessionsPath,
} from "../data/sessions.ts"
import { account } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { useTask } from "../hooks/use-task.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ConfirmButton } from "../parts/confirm.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { NewSession } from "../parts/sessions/new-session.tsx"
import { When } from "../parts/status.tsx"
import { TableHead } from "../parts/table-head.tsx"

/** Log-ins of sites, with which runs fetch pages that only members see. */
export function Sessions() {
  const [changes, setChanges] = useState(0)
  const changed = () => setChanges((count) => count + 1)
  useEffect(() => {
    document.title = "Sessions · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Sessions" />
  return (
    <>
      <h1>Sessions</h1>
      <p class="lead">
        A session is your log-in at a site. Runs, schedules, batches and recipes that use it fetch
        the site's pages as you see them. It is stored encrypted, and sent only to its hosts.
      </p>
      <NewSession onMade={changed} />
      <List changes={changes} onChange={changed} />
      <CodeSnippet call={{ path: sessionsPath, needsKey: true }} />
    </>
  )
}

function List({ changes, onChange }: { changes: number; onChange(): void }) {
  const loaded = useLoaded(sessions, [changes])
  const [deleting, setDeleting] = useState<Session>()
  const [importing, setImporting] = useState<Session>()
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items } = loaded.value
  if (items.length === 0) return <p class="notice">There are no sessions yet. Create one above.</p>
  return (
    <Scroll label="Sessions">
      <table class="list as-cards">
        <TableHead names={["Name", "Hosts", "State", "Last used", "Ends"]} last="Change" />
        <tbody>
          {items.map((session) => (
            <Row
              key={session.id}
              of={session}
              onChange={onChange}
              onImport={() => setImporting(session)}
              onDelete={() => setDeleting(session)}
            />
          ))}
        </tbody>
      </table>
      {importing && (
        <ImportAgain
          of={importing}
          onClose={() => setImporting(undefined)}
          onDone={() => {
            setImporting(undefined)
            onChange()
          }}
        />
      )}
      {deleting && (
        <ConfirmButton
          title={`Delete “${deleting.name}”?`}
          act="Delete it"
          onClose={() => setDeleting(undefined)}
          onConfirm={async () => {
            await deleteSession(deleting.id)
            setDeleting(undefined)
            onChange()
          }}
        >
          Its cookies and secrets are deleted. Schedules and recipes that use it will fail.
        </ConfirmButton>
      )}
    </Scroll>
  )
}

interface RowProps {
  of: Session
  onChange(): void
  onImport(): void
  onDelete(): void
}

function Row({ of, onChange, onImport, onDelete }: RowProps) {
  const { id, name, hosts, status, reason, signedIn, login, lastUsedAt, expiresAt } = of
  const { busy, issue, run } = useTask()
  return (
    <tr>
      <td>{name}</td>
      <td data-name="Hosts">{hosts.join(", ")}</td>
      <td data-name="State">
        <span class={`status ${status === "active" ? "succeeded" : "failed"}`}>
          {status === "active" && !signedIn ? "logs in when it is first used" : status}
        </span>
        {reason && <div class="muted">{reason}</div>}
        <ErrorMessage>{issue}</ErrorMessage>
      </td>
      <td data-name="Last used">
        {lastUsedAt ? <When at={lastUsedAt} /> : <span class="muted">never</span>}
      </td>
      <td data-name="Ends">
        {expiresAt ? <When at={expiresAt} /> : <span class="muted">no expiry time</span>}
      </td>
      <td>
        {login && (
          <button
            type="button"
            class="quiet"
            disabled={busy}
            aria-label={`Log in with ${name}`}
            onClick={() => run(() => logInAgain(id).then(onChange))}
          >
            {busy ? "Logging in …" : "Log in"}
          </button>
        )}
        <button type="button" class="quiet" onClick={onImport} aria-label={`Import into ${name}`}>
          Import
        </button>
        <button type="button" class="quiet" onClick={onDelete} aria-label={`Delete ${name}`}>
          Delete
        </button>
      </td>
    </tr>
  )
}

interface ImportAgainProps {
  of: Session
  onClose(): void
  onDone(): void
}

function ImportAgain({ of, onClose, onDone }: ImportAgainProps) {
  const [text, setText] = useState("")
  const { busy, issue, run } = useTask()
  const submit = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      await changeSession(of.id, { import: text })
      onDone()
    })
  }
  return (
    <Dialog title={`Import into “${of.name}”`} class="wide-one" onClose={onClose}>
      <form onSubmit={submit}>
        <div class="field">
          <label for="import-again">Cookies for {of.hosts.join(", ")}</label>
          <textarea
            id="import-again"
            class="code"
            rows={8}
            required
            data-first
            spellcheck={false}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <ErrorMessage>{issue}</ErrorMessage>
        <div class="actions">
          <button type="submit" class="main" disabled={busy}>
            Import
          </button>
          <button type="button" onClick={onClose}>
            Leave it
          </button>
        </div>
      </form>
    </Dialog>
  )
}
