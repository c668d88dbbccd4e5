import { useEffect, useState } from "preact/hooks"
import { forgetCatalogue } from "../data/catalogue.ts"
import * as api from "../data/recipes.ts"
import { account } from "../data/shell.ts"
import { useStored } from "../hooks/use-stored.ts"
import { SignInFirst } from "../parts/accounts/sign-in-first.tsx"
import { CodeSnippet } from "../parts/code-snippet.tsx"
import { ConfirmButton } from "../parts/confirm.tsx"
import { ErrorMessage } from "../parts/error-message.tsx"
import { RecipeForm } from "../parts/page/recipe-form.tsx"
import { Scroll } from "../parts/scroll.tsx"
import { When } from "../parts/status.tsx"
import { TableHead } from "../parts/table-head.tsx"
import { Link } from "../routing/router.tsx"

/** Named extractions of the account, which are its own scrapers. */
export function Recipes() {
  useEffect(() => {
    document.title = "Recipes · Trawl"
  }, [])
  if (account === undefined) return <SignInFirst title="Recipes" />
  return (
    <>
      <h1>Recipes</h1>
      <p class="lead">
        Fields that you picked from a page, saved for similar pages. Each recipe is a scraper of
        your account, for calls, bulk runs, schedules and agents.
      </p>
      <List />
      <CodeSnippet call={{ path: api.recipesPath, needsKey: true }} />
    </>
  )
}

function List() {
  const [changes, setChanges] = useState(0)
  const loaded = useStored(api.recipes, [changes])
  const [edited, setEdited] = useState<api.Recipe>()
  const [doomed, setDoomed] = useState<api.Recipe>()
  if (loaded.state === "loading") return <p class="muted">Loading …</p>
  if (loaded.state === "failed") return <ErrorMessage>{loaded.error.message}</ErrorMessage>
  const { items } = loaded.value
  if (items.length === 0) {
    return (
      <p class="notice">
        There are no recipes yet. <Link to="/?fields=title: h1">Pick fields from a page</Link>, and
        save them there.
      </p>
    )
  }
  const done = () => {
    setEdited(undefined)
    setDoomed(undefined)
    forgetCatalogue()
    setChanges((count) => count + 1)
  }
  return (
    <Scroll label="Recipes">
      <table class="list as-cards">
        <TableHead names={["Name", "URL pattern", "Fields", "Changed"]} last="Actions" />
        <tbody>
          {items.map((recipe) => (
            <tr key={recipe.id}>
              <td>
                <Link to={`/scrapers/${recipe.slug}`}>{recipe.name}</Link>
              </td>
              <td data-name="For the pages">
                <code>{recipe.pattern}</code>
              </td>
              <td data-name="Fields">{api.fieldsIn(recipe).join(", ")}</td>
              <td data-name="Changed">
                <When at={recipe.updatedAt} />
              </td>
              <td>
                <div class="actions">
                  <Link class="button" to={`/scrapers/${recipe.slug}`}>
                    Run
                  </Link>
                  <button
                    type="button"
                    class="quiet"
                    aria-label={`Edit ${recipe.name}`}
                    onClick={() => setEdited(recipe)}
                  >
                    Edit
                  </button>
                  <button
                    type="button"
                    class="quiet danger"
                    aria-label={`Delete ${recipe.name}`}
                    onClick={() => setDoomed(recipe)}
                  >
                    Delete
                  </button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {edited && (
        <RecipeForm
          title={`Change “${edited.name}”`}
          first={edited}
          isStored
          onSave={async (terms) => {
            await api.changeRecipe(edited.id, terms)
            done()
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
      {doomed && (
        <ConfirmButton
          title={`Delete “${doomed.name}”?`}
          act="Delete it"
          onClose={() => setDoomed(undefined)}
          onConfirm={async () => {
            await api.deleteRecipe(doomed.id)
            done()
          }}
        >
          Its runs and their items stay. Schedules that use it are disabled.
        </ConfirmButton>
      )}
    </Scroll>
  )
}
