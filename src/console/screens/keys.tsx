import { useEffect, useState } from "preact/hooks"
import { type Key, keys, keysPath, revokeKey } from "../data/account.ts"
import { account } from "../data/shell.ts"
import { useLoaded } from "../hooks/use-loaded.ts"
import { NewKey } from "../parts/accounts/new-key.tsx"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ConfirmButton } from "../parts/confirm.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { When } from "../parts/status.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { Link } from "../routing/router.tsx"

/** The account's keys: their permissions and their last use. */
export function Keys() {
  const [changes, setChanges] = useState(0)
  const changed = () => setChanges((count) => count + 1)
  useEffect(() => {
    document.title = "Keys · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Keys" />
  return (
    <>
      <h1>Keys</h1>
      <p class="lead">
        Programs authenticate with a key. Create one for each program, with only the permissions
        that it needs. You can then revoke a leaked key without affecting the others.{" "}
        <Link to="/connect">Connect a client</Link> has the configuration to paste into your client.
      </p>
      <NewKey onMade={changed} />
      <KeyList changes={changes} onRevoked={changed} />
      <CodeSnippet call={{ path: keysPath, needsKey: true }} />
    </>
  )
}

function KeyList({ changes, onRevoked }: { changes: number; onRevoked(): void }) {
  const loaded = useLoaded(keys, [changes])
  const [requested, setRequested] = useState<Key>()
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items } = loaded.value
  if (items.length === 0) return <p class="notice">There are no keys yet. Create one above.</p>
  return (
    <Scroll label="Keys">
      <table class="list as-cards">
        <TableHead
          names={["Name", "Key", "Scopes", "Credits", "Last used", "Expires"]}
          numbers={["Credits"]}
          last="Revoke"
        />
        <tbody>
          {items.map((key) => (
            <KeyRow key={key.id} of={key} onSelect={() => setRequested(key)} />
          ))}
        </tbody>
      </table>
      {requested && (
        <ConfirmButton
          title={`Revoke “${requested.name}”?`}
          act="Revoke it"
          onClose={() => setRequested(undefined)}
          onConfirm={async () => {
            await revokeKey(requested.id)
            setRequested(undefined)
            onRevoked()
          }}
        >
          Programs that use <code>{requested.hint}</code> can no longer call the service. A revoked
          key cannot be restored.
        </ConfirmButton>
      )}
    </Scroll>
  )
}

function KeyRow({ of: key, onSelect }: { of: Key; onSelect(): void }) {
  const { creditLimit, creditsUsed, lastUsedAt, expiresAt } = key
  return (
    <tr>
      <td>{key.name}</td>
      <td data-name="Key">
        <code>{key.hint}</code>
      </td>
      <td data-name="Scopes">{key.scopes.join(", ")}</td>
      <td class="number" data-name="Credits">
        {creditLimit === null ? "no limit" : `${creditsUsed ?? 0} of ${creditLimit}`}
      </td>
      <td data-name="Last used">
        {lastUsedAt ? <When at={lastUsedAt} /> : <span class="muted">never</span>}
      </td>
      <td data-name="Expires">
        {expiresAt ? <When at={expiresAt} /> : <span class="muted">never</span>}
      </td>
      <td>
        <button type="button" class="quiet" onClick={onSelect} aria-label={`Revoke ${key.name}`}>
          Revoke
        </button>
      </td>
    </tr>
  )
}
