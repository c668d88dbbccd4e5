import { useEffect, useState } from "preact/hooks"
import * as api from "../data/operate.ts"
import { isOwner } from "../data/shell.ts"
import { useStored } from "../hooks/use-stored.ts"
import { useTask } from "../hooks/use-task.ts"
import { OwnersOnly } from "../parts/accounts/owners-only.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { SearchField } from "../parts/fields.tsx"
import { grouped } from "../parts/setting-groups.ts"
import { counted } from "../parts/value.tsx"
import { type PageLocation, replaceUrl } from "../routing/router.tsx"

/** All settings with the sources of their values, and a form to change them. */
export function OperateSettings({ pageLocation: route }: { pageLocation: PageLocation }) {
  const [search, setSearch] = useState(route.query.get("search") ?? "")
  useEffect(() => {
    document.title = "Settings · Trawl"
    if (isOwner) replaceUrl(`/operate/settings${search && `?${new URLSearchParams({ search })}`}`)
  }, [search])
  return (
    <OwnersOnly title="Settings" path="/operate/settings">
      {isOwner && <List search={search} onSearch={setSearch} />}
      <CodeSnippet call={{ path: api.settingsPath, needsKey: true }} />
    </OwnersOnly>
  )
}

function List({ search, onSearch }: { search: string; onSearch(search: string): void }) {
  const [changes, setChanges] = useState(0)
  const loaded = useStored(api.settings, [changes])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const words = search.toLowerCase().split(/\s+/)
  const visible = loaded.value.items.filter(({ name, description }) =>
    words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  )
  return (
    <>
      <div class="filters after-title">
        <SearchField
          id="search"
          placeholder="for example limit, proxy, key"
          value={search}
          onChange={onSearch}
        />
        <p class="muted count">{counted(visible.length, "setting")}</p>
      </div>
      {visible.length === 0 && <p class="notice">No setting matches.</p>}
      {grouped(visible).map(([group, settings]) => (
        <section key={group} class="settings-group" aria-label={group}>
          <h2>
            {group} <span class="muted">{settings.length}</span>
          </h2>
          {settings.map((setting) => (
            <Row
              key={setting.name}
              of={setting}
              onChanged={() => setChanges((count) => count + 1)}
            />
          ))}
        </section>
      ))}
    </>
  )
}

const sources = {
  environment: "set in the environment",
  database: "set here",
  default: "the default",
} as const

function Row({ of, onChanged }: { of: api.Setting; onChanged(): void }) {
  const { busy, issue, run } = useTask()
  const { name, value, secret, isSet, locked, source } = of
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget as HTMLFormElement).get("value"))
    void run(async () => {
      await api.setSetting(name, next)
      onChanged()
    })
  }
  const unset = () =>
    run(async () => {
      await api.unsetSetting(name)
      onChanged()
    })
  return (
    <details class="delivery">
      <summary>
        <code>{name}</code> <strong class="setting">{secret ? (isSet ? "set" : "") : value}</strong>{" "}
        <span class="muted">
          {secret && !isSet ? "not set" : sources[source]}
          {locked && ", locked"}
        </span>
        <div class="help">{of.description}</div>
      </summary>
      {locked ? (
        <p class="notice">
          {source === "environment"
            ? "It is set in the environment. Change or remove it there."
            : "It is only read at startup. Set it in the environment and restart the service."}
        </p>
      ) : (
        <form class="fields-in-row" onSubmit={submit} key={String(value)}>
          <div class="field grow">
            <label for={name}>{secret && isSet ? "Another value" : "Value"}</label>
            <input
              id={name}
              name="value"
              {...(secret ? { type: "password" } : { type: "text" })}
              autocomplete="off"
              required
              defaultValue={value ?? ""}
              placeholder={of.default}
            />
          </div>
          <button type="submit" class="main" disabled={busy}>
            Set it
          </button>
          {source === "database" && (
            <button type="button" disabled={busy} onClick={unset}>
              Restore the default
            </button>
          )}
        </form>
      )}
      <ErrorMessage>{issue}</ErrorMessage>
    </details>
  )
}
