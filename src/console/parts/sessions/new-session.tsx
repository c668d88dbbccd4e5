import { useState } from "preact/hooks"
import { type LoginForm, logInAgain, loginOf, makeSession } from "../../data/sessions.ts"
import { useTask } from "../../hooks/use-task.ts"
import { ErrorMessage } from "../error-message.tsx"
import { Tabs } from "../tabs.tsx"
import { LiveLogin } from "./live-login.tsx"

const methods = [
  ["live", "Log in here"],
  ["import", "Import cookies"],
  ["recipe", "Log-in recipe"],
] as const

/** Creates a session in one of three ways. */
export function NewSession({ onMade }: { onMade(): void }) {
  const [name, setName] = useState("")
  const [method, setMethod] = useState<(typeof methods)[number][0]>("live")
  const isName = /^[a-z0-9][a-z0-9._-]*$/.test(name)
  const made = () => {
    setName("")
    onMade()
  }
  return (
    <section class="box" aria-labelledby="new-session">
      <h2 id="new-session">New session</h2>
      <div class="field">
        <label for="session-name">Name</label>
        <input
          id="session-name"
          class="code"
          maxLength={64}
          spellcheck={false}
          placeholder="shop"
          value={name}
          aria-invalid={name !== "" && !isName}
          aria-describedby="session-name-help"
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <p class="help" id="session-name-help">
          Small letters, digits, - _ and dots. A session of the same name gets the new log-in, for
          example if it has expired.
        </p>
      </div>
      <Tabs label="How to sign in" tabs={methods} chosen={method} onChoose={setMethod}>
        {method === "live" && <LiveLogin name={isName ? name : ""} onSaved={made} />}
        {method === "import" && <Import name={isName ? name : ""} onMade={made} />}
        {method === "recipe" && <Recipe name={isName ? name : ""} onMade={made} />}
      </Tabs>
    </section>
  )
}

interface FormProps {
  name: string
  onMade(): void
}

function Import({ name, onMade }: FormProps) {
  const [text, setText] = useState("")
  const [hosts, setHosts] = useState("")
  const { busy, issue, run } = useTask()
  const submit = (event: Event) => {
    event.preventDefault()
    const own = listOf(hosts)
    void run(async () => {
      await makeSession({ name, import: text, ...(own.length > 0 && { hosts: own }) })
      setText("")
      onMade()
    })
  }
  return (
    <form onSubmit={submit}>
      <div class="field">
        <label for="session-import">Cookies</label>
        <textarea
          id="session-import"
          class="code"
          rows={8}
          required
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="help">
          The text of a cookies.txt, a JSON export of a browser extension, a Playwright
          storageState, or a request that you copied as cURL from the developer tools.
        </p>
      </div>
      <div class="field">
        <label for="session-hosts">
          Hosts <span class="muted">optional; default: the hosts of the cookies</span>
        </label>
        <input
          id="session-hosts"
          class="code"
          placeholder="shop.example, account.shop.example"
          value={hosts}
          onInput={(event) => setHosts(event.currentTarget.value)}
        />
      </div>
      <ErrorMessage>{issue}</ErrorMessage>
      <div class="actions">
        <button type="submit" class="main" disabled={busy || !name}>
          Import
        </button>
      </div>
    </form>
  )
}

const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)

const fields: readonly (readonly [name: keyof LoginForm, label: string, example: string])[] = [
  ["url", "Sign-in page", "https://shop.example/login"],
  ["userSelector", "Selector of the name field", "#email"],
  ["user", "Your name there", "ada@example.com"],
  ["passwordSelector", "Selector of the password field", "#password"],
  ["password", "Your password there", ""],
  ["button", "Selector of the button (optional: Enter is pressed)", "button[type=submit]"],
  ["after", "Selector of a part of the page after the log-in (optional)", ".account"],
]
const optional = new Set<keyof LoginForm>(["button", "after"])

function Recipe({ name, onMade }: FormProps) {
  const [form, setForm] = useState<Partial<LoginForm>>({})
  const { busy, issue, run } = useTask()
  const submit = (event: Event) => {
    event.preventDefault()
    const filled = { button: "", after: "", ...form } as LoginForm
    void run(async () => {
      const { id } = await makeSession({ name, login: loginOf(filled) })
      setForm({})
      const { status, reason } = await logInAgain(id)
      onMade()
      if (status === "expired")
        throw new Error(`The session was created, but the log-in failed: ${reason}`)
    })
  }
  return (
    <form onSubmit={submit}>
      <p class="help">
        Chrome follows these steps on the server, now and whenever the site requires a new sign-in.
        The password is stored encrypted and is never displayed. The API accepts recipes with other
        steps.
      </p>
      {fields.map(([field, label, example]) => {
        const common = {
          id: `login-${field}`,
          required: !optional.has(field),
          value: form[field] ?? "",
          onInput: ({ currentTarget: { value } }: { currentTarget: HTMLInputElement }) =>
            setForm((before) => ({ ...before, [field]: value })),
        }
        return (
          <div class="field" key={field}>
            <label for={`login-${field}`}>{label}</label>
            {field === "password" ? (
              <input type="password" autocomplete="off" {...common} />
            ) : (
              <input class="code" placeholder={example} spellcheck={false} {...common} />
            )}
          </div>
        )
      })}
      <ErrorMessage>{issue}</ErrorMessage>
      <div class="actions">
        <button type="submit" class="main" disabled={busy || !name}>
          {busy ? "Logging in …" : "Create it and log in"}
        </button>
      </div>
    </form>
  )
}
