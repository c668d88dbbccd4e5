import { changeTags } from "../../data/monitors.ts"
import { useTask } from "../../hooks/use-task.ts"
import { Link } from "../../routing/router.tsx"
import { ErrorMessage } from "../error-message.tsx"

interface TagsProps {
  id: string
  tags: string[]
  onChanged(): void
}

/** The tags of a monitor. Monitors with a common tag form a group. */
export function Tags({ id, tags, onChanged }: TagsProps) {
  const { busy, issue, run } = useTask()
  const set = (next: string[]) =>
    run(async () => {
      await changeTags(id, next)
      onChanged()
    })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const tag = String(new FormData(form).get("tag")).trim()
    if (tag) void set([...tags, tag]).then(() => form.reset())
  }
  return (
    <section class="box" aria-labelledby="tags">
      <h2 id="tags">Tags</h2>
      <p class="muted">Monitors with a common tag can be checked and paused together.</p>
      <ul class="lines">
        {tags.map((tag) => (
          <li key={tag}>
            <Link to={`/monitors?${new URLSearchParams({ tag })}`}>{tag}</Link>
            <button
              type="button"
              class="quiet"
              disabled={busy}
              aria-label={`Remove the tag ${tag}`}
              onClick={() => set(tags.filter((one) => one !== tag))}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <form class="fields-in-row" onSubmit={submit}>
        <div class="field">
          <label for="tag">New tag</label>
          <input id="tag" name="tag" maxLength={40} required />
        </div>
        <button type="submit" disabled={busy}>
          Add
        </button>
      </form>
      <ErrorMessage>{issue}</ErrorMessage>
    </section>
  )
}
