export interface SignUpPage {
  claim: string
  /** Repeats what the form's cookie says, so that no other site can send the form. */
  formToken: string
  email?: string
  error?: string
  /** Address of the account that is signed in. */
  signedInAs?: string | null
  signUpOpen: boolean
  credits: number
}

const escapes: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character]!)
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { max-width: 26rem; margin: 10vh auto; padding: 0 1rem }
h1 { font-size: 1.5rem }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600 }
input { width: 100%; box-sizing: border-box; font: inherit; padding: .5rem }
button { font: inherit; padding: .5rem 1rem; margin: 1.25rem .5rem 0 0; cursor: pointer }
.error { border-left: .25rem solid #c22; padding: .25rem .75rem }
code { overflow-wrap: anywhere }
small { opacity: .75 }
`

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)} · Trawl</title>
<style>${style}</style>
</head>
<body><main>${body}</main></body>
</html>
`
}

export function signUpHtml(given: SignUpPage): string {
  const title = given.claim === "" ? "Sign up" : "A key for your agent"
  const why =
    given.claim === ""
      ? ""
      : "<p>An agent of yours asks for an API key. Once you have signed up or in, it gets one.</p>"
  const error = given.error ? `<p class="error" role="alert">${escapeHtml(given.error)}</p>` : ""
  return page(
    title,
    `<h1>${title}</h1>${why}${error}${confirmForm(given)}${credentialsForm(given)}`,
  )
}

const hidden = ({ claim, formToken }: SignUpPage) =>
  `<input type="hidden" name="claim" value="${escapeHtml(claim)}">
<input type="hidden" name="formToken" value="${escapeHtml(formToken)}">`

function confirmForm(given: SignUpPage): string {
  if (given.signedInAs === undefined || given.claim === "") return ""
  const who = escapeHtml(given.signedInAs ?? "an account without an address")
  return `<form method="post" action="/signup">${hidden(given)}
<p>You are signed in as <strong>${who}</strong>.</p>
<button name="action" value="confirm">Give the agent a key of this account</button>
</form><hr>`
}

function credentialsForm(given: SignUpPage): string {
  const email = escapeHtml(given.email ?? "")
  const signUp = given.signUpOpen
    ? `<p>A new account has ${given.credits} free credits.</p>`
    : "<p>Sign-up is closed on this service; sign in, or ask its operator.</p>"
  const signUpButton = given.signUpOpen
    ? '<button name="action" value="sign-up">Sign up</button>'
    : ""
  return `<form method="post" action="/signup">${hidden(given)}
${signUp}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${email}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required minlength="8" maxlength="200" aria-describedby="hint">
<small id="hint">At least 8 characters.</small>
<div>${signUpButton}<button name="action" value="sign-in">I have an account: sign in</button></div>
</form>`
}

/** The end of a claim. */
export function claimedHtml(): string {
  return page(
    "Done",
    "<h1>Done</h1><p>Your agent gets its key with its next look. You can close this page and go back to it.</p>",
  )
}

/** The end of a sign-up without an agent. */
export function keyHtml(apiKey: string, root: string): string {
  return page(
    "Welcome",
    `<h1>Welcome to Trawl</h1>
<p>This is your API key. It is shown this once; keep it safe.</p>
<p><code>${escapeHtml(apiKey)}</code></p>
<p><a href="${escapeHtml(root)}/docs">How to use it</a></p>`,
  )
}

export function signedInHtml(root: string): string {
  return page(
    "Signed in",
    `<h1>You are signed in</h1><p><a href="${escapeHtml(root)}/docs">How to use Trawl</a></p>`,
  )
}
