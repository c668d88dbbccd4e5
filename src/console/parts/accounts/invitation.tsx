import { useState } from "preact/hooks"
import { invite } from "../../data/operate.ts"
import { useTask } from "../../hooks/use-task.ts"
import { ErrorMessage } from "../error-message.tsx"
import { Secret } from "../secret.tsx"

/** Invites a user: by email if a mail server is set, otherwise by a link. */
export function Invitation() {
  const [link, setLink] = useState<string>()
  const [emailed, setEmailed] = useState("")
  const { busy, issue, run } = useTask()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const [email, credits] = [String(form.get("email")).trim(), String(form.get("credits"))]
    void run(async () => {
      const made = await invite({
        ...(email && { email }),
        ...(credits && { credits: Number(credits) }),
      })
      setLink(made.url)
      setEmailed(made.emailed ? email : "")
    })
  }
  return (
    <section class="box after-title" aria-labelledby="invitation">
      <h2 id="invitation">Invite a user</h2>
      <form class="fields-in-row" onSubmit={submit}>
        <div class="field grow">
          <label for="invited">
            Email <span class="muted">the link works for this email address only</span>
          </label>
          <input id="invited" name="email" type="email" placeholder="empty: anyone with the link" />
        </div>
        <div class="field">
          <label for="invited-credits">Credits</label>
          <input
            id="invited-credits"
            name="credits"
            type="number"
            min={0}
            placeholder="as for a sign-up"
          />
        </div>
        <button type="submit" class="main" disabled={busy}>
          Invite
        </button>
      </form>
      <ErrorMessage>{issue}</ErrorMessage>
      <div aria-live="polite">
        {emailed && <p class="notice">The invitation was sent to {emailed}.</p>}
        {link && <Secret text={link} what="the link, valid once, for seven days" />}
      </div>
    </section>
  )
}
