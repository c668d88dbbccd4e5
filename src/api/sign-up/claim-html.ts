import type { ClaimRow } from "../../store/accounts/claims.ts"
import { escapeHtml } from "../http/page.ts"

/** Choices for the lifetime of a key, in days. */
const lives = [1, 7, 30, 90] as const
const usualLife = 90

const row = (name: string, value: string | null) =>
  value === null ? "" : `<div><dt>${name}</dt><dd>${escapeHtml(value)}</dd></div>`

/** Describes the agent that requests a key: a user must recognize a link that someone else sent. */
export function claimFacts(claim: ClaimRow): string {
  return `<p>A program requests an API key for your account. Refuse if you do not know it.</p>
<dl class="facts">
${row("When", `${claim.created_at.slice(0, 16).replace("T", " ")} UTC`)}
${row("IP address", claim.address)}
${row("User agent", claim.agent)}
${row("Requested run", claim.requested)}
</dl>`
}

/** Form fields for the rights of the key. */
export function claimTerms(): string {
  const options = lives.map(
    (days) =>
      `<option value="${days}"${days === usualLife ? " selected" : ""}>${days} ${days === 1 ? "day" : "days"}</option>`,
  )
  return `<fieldset>
<legend>The key</legend>
<p>With the key, the program runs scrapers, reads their items and spends your credits. It cannot change your password or create keys. To let it create schedules, choose never and no credit limit.</p>
<label for="keyName">Name</label>
<input id="keyName" name="keyName" maxlength="100" value="Agent">
<label for="keyDays">Expires after</label>
<select id="keyDays" name="keyDays">${options.join("")}<option value="">never</option></select>
<label for="keyCredits">Maximum credits to spend</label>
<input id="keyCredits" name="keyCredits" inputmode="numeric" pattern="[0-9]*" placeholder="default: the account's credits">
</fieldset>`
}
