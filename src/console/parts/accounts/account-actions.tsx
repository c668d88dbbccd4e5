import { useState } from "preact/hooks"
import {
  type AccountChange,
  changeAccount,
  grantCredits,
  type OwnedAccount,
  passwordLink,
} from "../../data/operate.ts"
import { account as me } from "../../data/shell.ts"
import { useTask } from "../../hooks/use-task.ts"
import { Dialog } from "../dialog.tsx"
import { ErrorMessage } from "../error-message.tsx"
import { Secret } from "../secret.tsx"

interface AccountActionsProps {
  of: OwnedAccount
  onChanged(account: OwnedAccount): void
  onClose(): void
}

/** The settings of an account that an administrator can change. */
export function AccountActions({ of, onChanged, onClose }: AccountActionsProps) {
  const { busy, issue, run } = useTask()
  const [link, setLink] = useState<string>()
  const change = (set: AccountChange) => run(async () => onChanged(await changeAccount(of.id, set)))
  const limit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget as HTMLFormElement)
    const number = (name: string) => (form.get(name) === "" ? null : Number(form.get(name)))
    void change({ limits: { callsPerMinute: number("calls"), runsAtOnce: number("runs") } })
  }
  const grant = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const amount = Number(new FormData(form).get("amount"))
    void run(async () => {
      onChanged(await grantCredits(of.id, amount))
      form.reset()
    })
  }
  return (
    <Dialog title={of.email ?? of.id} onClose={onClose}>
      <form class="fields-in-row" onSubmit={grant}>
        <div class="field">
          <label for="amount">
            Credits <span class="muted">a negative number removes credits</span>
          </label>
          <input id="amount" name="amount" type="number" required data-first />
        </div>
        <button type="submit" disabled={busy}>
          Add
        </button>
      </form>
      <p class="muted">
        It has {of.credits.unlimited ? "no limit" : of.credits.balance.toLocaleString()}.
      </p>
      <form class="fields-in-row" onSubmit={limit}>
        <div class="field">
          <label for="calls">Calls a minute</label>
          <input
            id="calls"
            name="calls"
            type="number"
            min={0}
            placeholder="default"
            defaultValue={of.limits.callsPerMinute?.toString() ?? ""}
          />
        </div>
        <div class="field">
          <label for="runs">Concurrent runs</label>
          <input
            id="runs"
            name="runs"
            type="number"
            min={1}
            placeholder="default"
            defaultValue={of.limits.runsAtOnce?.toString() ?? ""}
          />
        </div>
        <button type="submit" disabled={busy}>
          Limit
        </button>
      </form>
      <ErrorMessage>{issue}</ErrorMessage>
      <div aria-live="polite">
        {link && (
          <Secret text={link} what="the link to set a new password, valid once within a day" />
        )}
      </div>
      <div class="actions">
        <button
          type="button"
          disabled={busy}
          onClick={() => run(async () => setLink((await passwordLink(of.id)).url))}
        >
          Password link
        </button>
        <button
          type="button"
          disabled={busy}
          onClick={() => change({ unlimited: !of.credits.unlimited })}
        >
          {of.credits.unlimited ? "Limit by credits" : "Make unlimited"}
        </button>
        {of.email !== me && (
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() => change({ locked: of.lockedAt === null })}
          >
            {of.lockedAt === null ? "Lock" : "Unlock"}
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
