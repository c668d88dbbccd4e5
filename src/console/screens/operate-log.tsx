import { useEffect, useState } from "preact/hooks"
import * as api from "../data/operate.ts"
import { isOwner } from "../data/shell.ts"
import { useStored } from "../hooks/use-stored.ts"
import { OwnersOnly } from "../parts/accounts/owners-only.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { SearchField, SelectField } from "../parts/fields.tsx"
import { When } from "../parts/status.tsx"
import { type PageLocation, replaceUrl } from "../routing/router.tsx"

const levels = [
  ["debug", "Everything"],
  ["info", "Information and above"],
  ["warn", "Warnings and errors"],
  ["error", "Errors"],
] as const
/** Interval at which new lines are loaded. */
const lookMs = 3_000
/** Milliseconds without typing before the words are used. */
const restMs = 300

/** The service's log, newest first. */
export function OperateLog({ pageLocation: route }: { pageLocation: PageLocation }) {
  const [level, setLevel] = useState(route.query.get("level") ?? "info")
  const [typed, setTyped] = useState(route.query.get("text") ?? "")
  const [text, setText] = useState(typed)
  const [isLive, setLive] = useState(true)
  const query = new URLSearchParams({ ...(level !== "info" && { level }), ...(text && { text }) })
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), restMs)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => {
    document.title = "Log · Trawl"
    if (isOwner) replaceUrl(`/operate/log${query.size > 0 ? `?${query}` : ""}`)
  }, [level, text])
  return (
    <OwnersOnly title="Log" path="/operate/log">
      <div class="filters after-title">
        <SelectField id="level" label="Level" value={level} options={levels} onChange={setLevel} />
        <SearchField
          id="text"
          label="Contains"
          placeholder="for example a path or a run ID"
          value={typed}
          onChange={setTyped}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={isLive}
            onChange={(event) => setLive(event.currentTarget.checked)}
          />
          Live
        </label>
      </div>
      {isOwner && <Lines level={level} text={text} isLive={isLive} />}
      <CodeSnippet call={{ path: api.logPath(level, text), needsKey: true }} />
    </OwnersOnly>
  )
}

function Lines({ level, text, isLive }: { level: string; text: string; isLive: boolean }) {
  const [looks, setLooks] = useState(0)
  useEffect(() => {
    if (!isLive) return
    const timer = setInterval(() => setLooks((count) => count + 1), lookMs)
    return () => clearInterval(timer)
  }, [isLive])
  const loaded = useStored((signal) => api.log(level, text, signal), [level, text, looks])
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items } = loaded.value
  if (items.length === 0) return <p class="notice">No recent line matches.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <ol class="log tall" tabIndex={0} aria-label="Lines of the log">
      {items.toReversed().map(({ id, at, level: own, message, details }) => (
        <li key={id} class={own}>
          <When at={at} /> <span class="level">{own}</span> {message}{" "}
          <span class="muted">{inShort(details)}</span>
        </li>
      ))}
    </ol>
  )
}

const inShort = (details: Record<string, unknown>) =>
  Object.entries(details)
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ")
    .slice(0, 600)
