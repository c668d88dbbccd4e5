import { useState } from "preact/hooks"
import type { Input } from "../../data/keyless.ts"
import { newRecipePath, type RecipeTerms, slugFor } from "../../data/recipes.ts"
import { useTask } from "../../hooks/use-task.ts"
import { CodeSnippet } from "../code-snippet.tsx"
import { Dialog } from "../dialog.tsx"
import { ErrorMessage } from "../error-message.tsx"
import { SessionField } from "../sessions/session-field.tsx"

interface RecipeFormProps {
  title: string
  first: RecipeTerms
  /** Whether the recipe exists already; its slug cannot change then. */
  isStored?: boolean
  onSave(terms: RecipeTerms): Promise<unknown>
  onClose(): void
}

/** Name of a recipe, and the pages that it is for. */
export function RecipeForm({ title, first, isStored = false, onSave, onClose }: RecipeFormProps) {
  const [name, setName] = useState(first.name)
  const [slug, setSlug] = useState(first.slug)
  const [pattern, setPattern] = useState(first.pattern)
  const [written, setWritten] = useState(() => JSON.stringify(first.input, null, 2))
  const [session, setSession] = useState(first.session ?? "")
  const { busy, issue, run } = useTask()
  const input = inputIn(written)
  const own = slug || slugFor(name)
  const terms: RecipeTerms = {
    ...{ slug: own, name: name.trim(), pattern: pattern.trim(), input: input ?? {} },
    ...(session || isStored ? { session: session || null } : {}),
  }
  const submit = (event: Event) => {
    event.preventDefault()
    if (input) void run(() => onSave(terms))
  }
  return (
    <Dialog title={title} class="wide-one" onClose={onClose}>
      <form onSubmit={submit}>
        <div class="fields-in-row">
          <div class="field grow">
            <label for="recipe-name">Name</label>
            <input
              id="recipe-name"
              required
              maxLength={100}
              data-first
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          </div>
          <div class="field grow">
            <label for="recipe-slug">Slug for calls</label>
            <input
              id="recipe-slug"
              class="code"
              maxLength={50}
              spellcheck={false}
              placeholder={slugFor(name) || "shop-products"}
              value={slug}
              onInput={(event) => setSlug(event.currentTarget.value)}
            />
          </div>
        </div>
        <div class="field">
          <label for="recipe-pattern">
            For the pages <span class="muted">* matches any text</span>
          </label>
          <input
            id="recipe-pattern"
            class="code"
            required
            maxLength={300}
            spellcheck={false}
            placeholder="shop.example/products/*"
            value={pattern}
            onInput={(event) => setPattern(event.currentTarget.value)}
          />
        </div>
        <SessionField value={session} onChange={setSession} />
        {isStored && (
          <div class="field">
            <label for="recipe-input">
              Input of <code>web-scraper</code>
            </label>
            <textarea
              id="recipe-input"
              class="code"
              rows={10}
              spellcheck={false}
              aria-invalid={!input}
              value={written}
              onInput={(event) => setWritten(event.currentTarget.value)}
            />
          </div>
        )}
        <ErrorMessage>{input ? issue : "Enter a JSON object."}</ErrorMessage>
        <div class="actions">
          <button type="submit" class="main" disabled={busy || !input}>
            {isStored ? "Change it" : "Save it"}
          </button>
          <button type="button" onClick={onClose}>
            {isStored ? "Leave it" : "Not now"}
          </button>
        </div>
        {!isStored && <CodeSnippet call={{ path: newRecipePath, needsKey: true, body: terms }} />}
      </form>
    </Dialog>
  )
}

function inputIn(text: string): Input | undefined {
  try {
    const value = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
