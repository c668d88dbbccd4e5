import { useEffect, useState } from "preact/hooks"
import {
  changePassword,
  deleteAccount,
  me,
  mePath,
  signOut,
  signOutEverywhere,
} from "../data/account.ts"
import { account, base } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { useTask } from "../hooks/use-task.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { Dialog } from "../parts/dialog.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Link } from "../routing/router.tsx"

/** The account: its credits, password, sessions and data. */
export function AccountScreen() {
  useEffect(() => {
    document.title = "Account · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Account" />
  return (
    <>
      <h1>Account</h1>
      <Facts />
      <div class="halves">
        <Password />
        <Sessions />
        <OwnData />
      </div>
      <CodeSnippet call={{ path: mePath, needsKey: true }} />
    </>
  )
}

function Facts() {
  const loaded = useLoaded(me, [])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { email, credits, usage, createdAt } = loaded.value
  return (
    <>
      <p class="lead">{email}</p>
      <dl class="figures">
        <div>
          <dt>Credits</dt>
          <dd>{credits.unlimited ? "no limit" : credits.balance.toLocaleString()}</dd>
        </div>
        <div>
          <dt>Used today</dt>
          <dd>{usage.today.toLocaleString()}</dd>
        </div>
        <div>
          <dt>This month</dt>
          <dd>{usage.thisMonth.toLocaleString()}</dd>
        </div>
        <div>
          <dt>Created</dt>
          <dd>
            <time dateTime={createdAt} title={createdAt}>
              {new Date(createdAt).toLocaleDateString(undefined, { dateStyle: "medium" })}
            </time>
          </dd>
        </div>
      </dl>
      <p>
        <Link to="/usage">Credit usage</Link>
      </p>
    </>
  )
}

/** Password managers need the account's email address. */
const Whose = () => (
  <span class="unseen" aria-hidden="true">
    <input type="text" tabIndex={-1} autocomplete="username" value={account} readOnly />
  </span>
)

function Password() {
  const [notice, setNotice] = useState("")
  const { busy, issue, run } = useTask()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const value = (name: string) => String(new FormData(form).get(name))
    setNotice("")
    void run(async () => {
      await changePassword(value("present"), value("next"))
      form.reset()
      setNotice("Changed. Other browsers are signed out.")
    })
  }
  return (
    <section class="box" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <form onSubmit={submit}>
        <Whose />
        <div class="field">
          <label for="present">Current password</label>
          <input
            id="present"
            name="present"
            type="password"
            autocomplete="current-password"
            required
          />
        </div>
        <div class="field">
          <label for="next">
            New password <span class="muted">8 characters or more</span>
          </label>
          <input
            id="next"
            name="next"
            type="password"
            autocomplete="new-password"
            minLength={8}
            required
          />
        </div>
        <div class="actions">
          <button type="submit" class="main" disabled={busy}>
            Change the password
          </button>
        </div>
      </form>
      <ErrorMessage>{issue}</ErrorMessage>
      <p aria-live="polite">{notice}</p>
    </section>
  )
}

/** Reloads the page, because nothing on it is valid after signing out. */
const leave = () => location.assign(`${base}/`)

function Sessions() {
  const { busy, issue, run } = useTask()
  return (
    <section class="box" aria-labelledby="signed-in">
      <h2 id="signed-in">Signed in</h2>
      <div class="actions column">
        <button type="button" disabled={busy} onClick={() => run(() => signOut().then(leave))}>
          Sign out
        </button>
        <button
          type="button"
          disabled={busy}
          onClick={() => run(() => signOutEverywhere().then(leave))}
        >
          Sign out everywhere
        </button>
      </div>
      <ErrorMessage>{issue}</ErrorMessage>
    </section>
  )
}

function OwnData() {
  const [requested, setRequested] = useState(false)
  return (
    <section class="box" aria-labelledby="own-data">
      <h2 id="own-data">Your data</h2>
      <div class="actions column">
        <a class="button" href={`${base}/api/account/export`} download>
          Download all data of the account
        </a>
        <button type="button" class="danger" onClick={() => setRequested(true)}>
          Delete the account …
        </button>
      </div>
      {requested && <Deletion onClose={() => setRequested(false)} />}
    </section>
  )
}

function Deletion({ onClose }: { onClose(): void }) {
  const { busy, issue, run } = useTask()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget as HTMLFormElement).get("sure"))
    void run(() => deleteAccount(password).then(leave))
  }
  return (
    <Dialog title="Delete the account?" onClose={onClose}>
      <p>This deletes its keys, runs and items. You cannot undo it.</p>
      <form onSubmit={submit}>
        <Whose />
        <div class="field">
          <label for="sure">Password</label>
          <input
            id="sure"
            name="sure"
            type="password"
            autocomplete="current-password"
            required
            data-first
          />
        </div>
        <ErrorMessage>{issue}</ErrorMessage>
        <div class="actions">
          <button type="submit" class="main danger" disabled={busy}>
            Delete it
          </button>
          <button type="button" onClick={onClose}>
            Keep it
          </button>
        </div>
      </form>
    </Dialog>
  )
}
