import type { ClaimRow } from "../../store/accounts/claims.ts"
import { escapeHtml, htmlPage } from "../http/page.ts"
import { claimFacts, claimTerms } from "./claim-html.ts"

/** Common parts of these pages. */
export interface PageFrame {
  /** Public path prefix of the service. */
  base: string
}

/** Values of the hidden form fields. */
interface FormFields extends PageFrame {
  claim: string
  /** Token of an administrator link or invitation; "" without one. */
  link: string
  /** Copy of the form's cookie, so that no other site can submit the form. */
  formToken: string
}

export interface SignUpPage extends FormFields {
  /** The agent that requests a key, if this is a claim. */
  claimant?: ClaimRow | undefined
  /** Selected form. */
  view: "sign-up" | "sign-in"
  email?: string
  error?: string
  notice?: string
  /** Email address of the signed-in account. */
  signedInAs?: string | null
  /** Also true if an invitation link allows it. */
  signUpOpen: boolean
  linkKind?: LinkKind | undefined
  credits: number
}

const page = ({ base }: PageFrame, title: string, body: string) =>
  htmlPage({ title: `${title} · Trawl`, base, narrow: true }, body)

export function signUpHtml(provided: SignUpPage): string {
  const title = titleOf(provided)
  const why =
    (provided.linkKind ? `<p>${linkWords[provided.linkKind]}</p>` : "") +
    (provided.claimant ? claimFacts(provided.claimant) : "")
  const error = provided.error
    ? `<p class="error" role="alert">${escapeHtml(provided.error)}</p>`
    : ""
  const notice = provided.notice ? `<p role="status">${escapeHtml(provided.notice)}</p>` : ""
  const form =
    provided.linkKind === "password"
      ? passwordForm(provided)
      : provided.signedInAs === undefined
        ? credentialsForm(provided)
        : signedInForm(provided, provided.signedInAs)
  return page(provided, title, `<h1>${title}</h1>${error}${notice}${why}${form}`)
}

type LinkKind = "owner" | "invitation" | "password"

const linkWords: Record<LinkKind, string> = {
  owner:
    "This link creates an administrator of this server: without limits, and able to invite users and change the settings.",
  invitation: "You are invited to this server.",
  password: "Choose a new password. You will be signed out everywhere else.",
}

function titleOf(provided: SignUpPage): string {
  if (provided.linkKind === "owner") return "Administrator account"
  if (provided.linkKind === "password") return "A new password"
  if (provided.claim !== "") return "An API key for your agent"
  if (provided.signedInAs !== undefined) return "You are signed in"
  return isForNew(provided) ? "Sign up" : "Sign in"
}

const isForNew = ({ view, signUpOpen }: SignUpPage) => view === "sign-up" && signUpOpen

function form(provided: FormFields, fields: string): string {
  return `<form method="post" action="${provided.base}/signup">
<input type="hidden" name="claim" value="${escapeHtml(provided.claim)}">
<input type="hidden" name="link" value="${escapeHtml(provided.link)}">
<input type="hidden" name="formToken" value="${escapeHtml(provided.formToken)}">
${fields}
</form>`
}

/** The form of a signed-in user: confirm, or sign out. */
function signedInForm(provided: SignUpPage, email: string | null): string {
  const who = escapeHtml(email ?? "an account without an email address")
  const confirm =
    provided.linkKind === "owner"
      ? `<div class="row">${button("confirm", "Make this account an administrator")}</div>`
      : provided.claim === ""
        ? onward(provided, ["runs", "Your runs"], ["scrapers", "All scrapers"])
        : `${claimTerms()}<div class="row">${button("confirm", "Create the key")}${refuse}</div>`
  return form(
    provided,
    `<p>You are signed in as <strong>${who}</strong>.</p>
${confirm}
<hr>
<p>On a shared computer, or not your account? Sign out.</p>
<button name="action" value="sign-out">Sign out</button>`,
  )
}

function credentialsForm(provided: SignUpPage): string {
  const isNew = isForNew(provided)
  const intro = provided.linkKind
    ? ""
    : provided.signUpOpen
      ? `<p>A new account has ${provided.credits} free credits.</p>`
      : "<p>Sign-up is closed on this server. Sign in, or ask its operator.</p>"
  const hint = isNew ? '<small id="hint">At least 8 characters.</small>' : ""
  return `${form(
    provided,
    `${isNew || !provided.signUpOpen ? intro : ""}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" value="${escapeHtml(provided.email ?? "")}">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="${isNew ? "new-password" : "current-password"}" required minlength="8" maxlength="200"${isNew ? ' aria-describedby="hint"' : ""}>
${hint}
${provided.claim === "" ? "" : claimTerms()}
<div class="row">${isNew ? button("sign-up", "Sign up") : button("sign-in", "Sign in")}${provided.claim === "" ? "" : refuse}</div>`,
  )}
${otherView(provided, isNew)}`
}

/** Refusing requires no sign-in. */
const refuse = '<button name="action" value="refuse" formnovalidate>Refuse</button>'

function passwordForm(provided: SignUpPage): string {
  return form(
    provided,
    `<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" readonly value="${escapeHtml(provided.email ?? "")}">
<label for="password">New password</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="8" maxlength="200" aria-describedby="hint">
<small id="hint">At least 8 characters.</small>
<div class="row">${button("set-password", "Set the password")}</div>`,
  )
}

const button = (action: string, text: string) =>
  `<button class="main" name="action" value="${action}">${text}</button>`

/** Links to the console and the documentation. */
function onward({ base }: PageFrame, ...screens: [path: string, words: string][]): string {
  const links = [...screens, ["docs", "How to use Trawl"]].map(
    ([path, words]) => `<a href="${base}/${path}">${words}</a>`,
  )
  return `<p>${links.join(" · ")}</p>`
}

function otherView({ base, claim, link, signUpOpen }: SignUpPage, isNew: boolean): string {
  if (!signUpOpen) return ""
  const query = new URLSearchParams({
    ...(claim && { claim }),
    ...(link && { link }),
    ...(isNew && { view: "sign-in" }),
  }).toString()
  const address = escapeHtml(`${base}/signup${query && `?${query}`}`)
  return isNew
    ? `<p>Already have an account? <a href="${address}">Sign in</a></p>`
    : `<p>No account yet? <a href="${address}">Sign up</a></p>`
}

/** The page after an accepted claim. */
export function claimedHtml(provided: FormFields): string {
  return page(
    provided,
    "Done",
    `<h1>Done</h1><p>Your agent gets the key with its next request. You can close this page.</p>
<p>The key is listed in <a href="${provided.base}/keys">your keys</a> with its usage. You can revoke it there.</p>
<p>Does your agent run in an MCP client? Then copy the key yourself and add it to the client's configuration. The agent does not get it then.</p>
${form(provided, '<button name="action" value="take-key">Show the key and a configuration</button>')}`,
  )
}

const visibleKey = (apiKey: string) =>
  `<p><code class="key" id="key">${escapeHtml(apiKey)}</code></p>
<p><button type="button" data-copy="key" hidden>Copy the key</button></p>`

/** The key of a claim, for the configuration of the agent's client. */
export function apiKeyHtml(frame: PageFrame, apiKey: string, root: string): string {
  const headers = { Authorization: `Bearer ${apiKey}` }
  const server = { type: "http", url: `${root}/api/mcp?set=meta`, headers }
  const configuration = JSON.stringify({ mcpServers: { trawl: server } }, null, 2)
  return page(
    frame,
    "The key",
    `<h1>Your agent's API key</h1>
<p>It is shown only once.</p>
${visibleKey(apiKey)}
<p>Add this to the configuration of your MCP client, then restart the client:</p>
<pre><code>${escapeHtml(configuration)}</code></pre>`,
  )
}

/** The page for a claim whose key was already returned. */
export function keyGoneHtml(frame: PageFrame): string {
  return page(
    frame,
    "The key",
    `<h1>Your agent has the key</h1><p>It has already received the key. Revoke it in <a href="${frame.base}/keys">your keys</a>, or create another key there.</p>`,
  )
}

/** The page after a refused claim. */
export function refusedHtml(frame: PageFrame): string {
  return page(
    frame,
    "Refused",
    "<h1>Refused</h1><p>The program gets no key. You can close this page.</p>",
  )
}

/** The page after a sign-up without a claim. */
export function keyHtml(frame: PageFrame, apiKey: string): string {
  return page(
    frame,
    "Welcome",
    `<h1>Welcome to Trawl</h1>
<p>This is your API key. It is shown only once; store it safely.</p>
${visibleKey(apiKey)}
<p>You are signed in: the browser needs no key. Programs and agents send the key with each call.</p>
${onward(frame, ["scrapers", "Try a scraper"], ["connect", "Connect a client"])}`,
  )
}
