import type { ClaimRow } from "../../store/accounts/claims.ts"
import { escapeHtml } from "../http/page.ts"

/** Days that the page offers for a key. */
const lives = [1, 7, 30, 90] as const
const usualLife = 90

const row = (name: string, value: string | null) =>
  value === null ? "" : `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`

/** Who asks for a key: a link that a stranger sent must not look like one of an own agent. */
export function claimFacts(claim: ClaimRow): string {
  return `<p>A program asks for an API key of your account. If it is not one of yours, refuse.</p>
<dl class="facts">
${row("When", `${claim.created_at.slice(0, 16).replace("T", " ")} UTC`)}
${row("From", claim.address)}
${row("It calls itself", claim.agent)}
${row("It wanted to run", claim.asked_for)}
</dl>`
}

/** What the key may do. */
export function claimTerms(): string {
  const options = lives.map(
    (days) =>
      `<option value="${days}"${days === usualLife ? " selected" : ""}>${days} ${days === 1 ? "day" : "days"}</option>`,
  )
  return `<fieldset>
<legend>The key</legend>
<p>With it, the program starts scrapers and reads what they bring, and spends your credits. It cannot change your password or make other keys.</p>
<label for="keyName">Name</label>
<input id="keyName" name="keyName" maxlength="100" value="Agent">
<label for="keyDays">Ends after</label>
<select id="keyDays" name="keyDays">${options.join("")}<option value="">never</option></select>
<label for="keyCredits">Credits that it may spend in all</label>
<input id="keyCredits" name="keyCredits" inputmode="numeric" pattern="[0-9]*" placeholder="no limit but the account's">
</fieldset>`
}
