import { useState } from "preact/hooks"
import { invite } from "../../data/operate.ts"
import { useTask } from "../../use-task.ts"
import { Fault } from "../fault.tsx"
import { Secret } from "../secret.tsx"

/** A link by which somebody makes an account. */
export function Invitation() {
  const [link, setLink] = useState<string>()
  const { busy, fault, run } = useTask()
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
    })
  }
  return (
    <section class="box after-title" aria-labelledby="invitation">
      <h2 id="invitation">Invite somebody</h2>
      <form class="fields-in-row" onSubmit={submit}>
        <div class="field grow">
          <label for="invited">
            Address <span class="muted">nobody else can take it up</span>
          </label>
          <input id="invited" name="email" type="email" placeholder="anybody who has the link" />
        </div>
        <div class="field">
          <label for="invited-credits">Credits</label>
          <input
            id="invited-credits"
            name="credits"
            type="number"
            min={0}
            placeholder="as at a sign-up"
          />
        </div>
        <button type="submit" class="main" disabled={busy}>
          Make the link
        </button>
      </form>
      <Fault>{fault}</Fault>
      <div aria-live="polite">
        {link && <Secret text={link} what="the link, good once, for seven days" />}
      </div>
    </section>
  )
}
