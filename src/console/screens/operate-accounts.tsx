import { useEffect, useState } from "preact/hooks"
import * as api from "../data/operate.ts"
import { isOwner } from "../data/shell.ts"
import { useStored } from "../hooks/use-stored.ts"
import { AccountActions } from "../parts/accounts/account-actions.tsx"
import { Invitation } from "../parts/accounts/invitation.tsx"
import { OwnersOnly } from "../parts/accounts/owners-only.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { SearchField } from "../parts/fields.tsx"
import { Pager } from "../parts/pager.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { When } from "../parts/status.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { counted } from "../parts/value.tsx"
import { type PageLocation, replaceUrl } from "../routing/router.tsx"

/** All accounts with their limits. */
export function OperateAccounts({ pageLocation: route }: { pageLocation: PageLocation }) {
  const [search, setSearch] = useState(route.query.get("search") ?? "")
  useEffect(() => {
    document.title = "Accounts · Trawl"
    if (isOwner) replaceUrl(`/operate/accounts${search && `?${new URLSearchParams({ search })}`}`)
  }, [search])
  return (
    <OwnersOnly title="Accounts" path="/operate/accounts">
      {isOwner && <Invitation />}
      {isOwner && <List search={search} onSearch={setSearch} />}
      <CodeSnippet call={{ path: api.accountsPath(search), needsKey: true }} />
    </OwnersOnly>
  )
}

function List({ search, onSearch }: { search: string; onSearch(search: string): void }) {
  const [changes, setChanges] = useState(0)
  const [chosen, choose] = useState<api.OwnedAccount>()
  // Cursors of the previous pages, to go back to them.
  const [cursors, setCursors] = useState<string[]>([])
  const cursor = cursors.at(-1)
  const loaded = useStored(
    (signal) => api.accounts(search, cursor, signal),
    [search, cursor, changes],
  )
  const onSought = (words: string) => {
    setCursors([])
    onSearch(words)
  }
  return (
    <section aria-label="Accounts">
      <div class="filters">
        <SearchField
          id="search"
          placeholder="Part of the email address"
          value={search}
          onChange={onSought}
        />
        {loaded.state === "there" && (
          <p class="muted count">{counted(loaded.value.total, "account")}</p>
        )}
      </div>
      {loaded.state === "failed" && <ErrorMessage>{loaded.error.message}</ErrorMessage>}
      {loaded.state === "there" && loaded.value.items.length === 0 && (
        <p class="notice">No email address contains “{search}”.</p>
      )}
      {loaded.state === "there" && loaded.value.items.length > 0 && (
        <Table accounts={loaded.value.items} onChoose={choose} />
      )}
      {loaded.state === "there" && (
        <Pager cursors={cursors} next={loaded.value.nextCursor} onPage={setCursors} />
      )}
      {chosen && (
        <AccountActions
          of={chosen}
          onClose={() => choose(undefined)}
          onChanged={(next) => {
            choose(next)
            setChanges((count) => count + 1)
          }}
        />
      )}
    </section>
  )
}

interface TableProps {
  accounts: api.OwnedAccount[]
  onChoose(account: api.OwnedAccount): void
}

function Table({ accounts, onChoose }: TableProps) {
  return (
    <Scroll label="All accounts">
      <table class="list as-cards">
        <TableHead
          names={["Email", "Credits", "Limits", "Keys", "Last used", "State"]}
          numbers={["Credits", "Keys"]}
          last="Change"
        />
        <tbody>
          {accounts.map((account) => (
            <tr key={account.id}>
              <td>
                {account.email ?? <code>{account.id}</code>}
                {account.role === "owner" && <div class="muted">administrator</div>}
              </td>
              <td class="number" data-name="Credits">
                {account.credits.unlimited ? "no limit" : account.credits.balance.toLocaleString()}
              </td>
              <td data-name="Limits">{limitsOf(account)}</td>
              <td class="number" data-name="Keys">
                {account.keys}
              </td>
              <td data-name="Last used">
                {account.lastUsedAt ? (
                  <When at={account.lastUsedAt} />
                ) : (
                  <span class="muted">never</span>
                )}
              </td>
              <td data-name="State">
                <span class={`status ${account.lockedAt ? "failed" : "succeeded"}`}>
                  {account.lockedAt ? "locked" : "open"}
                </span>
              </td>
              <td>
                <button
                  type="button"
                  class="quiet"
                  aria-label={`Change ${account.email ?? account.id}`}
                  onClick={() => onChoose(account)}
                >
                  Change
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  )
}

function limitsOf({ limits: { callsPerMinute, runsAtOnce } }: api.OwnedAccount): string {
  const calls = callsPerMinute === 0 ? "any number of calls" : `${callsPerMinute} calls a minute`
  return (
    [
      callsPerMinute !== null && calls,
      runsAtOnce !== null && `${counted(runsAtOnce, "run")} at once`,
    ]
      .filter(Boolean)
      .join(", ") || "default"
  )
}
