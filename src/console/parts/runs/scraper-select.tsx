import { type Brief, byCategory, titled } from "../../data/catalogue.ts"

interface ScraperSelectProps {
  id: string
  value: string
  scrapers: Brief[]
  /** Text for no scraper. */
  none: string
  onChange(slug: string): void
}

/** A choice of scrapers by category; the account's own recipes come first. */
export function ScraperSelect({ id, value, scrapers, none, onChange }: ScraperSelectProps) {
  const own = scrapers.filter(({ recipeId }) => recipeId)
  const others = scrapers.filter(({ recipeId }) => !recipeId)
  const groups: [string, Brief[]][] = [
    ["Recipes", own],
    ...byCategory(others).map(([category, list]): [string, Brief[]] => [titled(category), list]),
  ]
  // A scraper that the URL names is selected before the list has loaded.
  const isKnown = !value || scrapers.some(({ slug }) => slug === value)
  return (
    <div class="field">
      <label for={id}>Scraper</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{none}</option>
        {!isKnown && <option value={value}>{value}</option>}
        {groups
          .filter(([, list]) => list.length > 0)
          .map(([name, list]) => (
            <optgroup key={name} label={name}>
              {list.map(({ slug, name }) => (
                <option key={slug} value={slug}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
    </div>
  )
}
