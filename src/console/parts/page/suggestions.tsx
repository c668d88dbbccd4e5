import { useEffect, useState } from "preact/hooks"
import { type Suggestion, shortName, suggestions } from "../../data/catalogue.ts"
import { queryOf } from "../../data/keyless.ts"
import { Link } from "../../routing/router.tsx"

/** Milliseconds without typing before suggestions are loaded. */
const restMs = 250
const maxVisible = 4

/** The scrapers for the site of a URL, found while the user types. */
export function Suggestions({ url }: { url: string }) {
  const [current, setCurrent] = useState<Suggestion[]>([])
  useEffect(() => {
    const text = url.trim()
    const leaving = new AbortController()
    const timer = setTimeout(() => {
      if (!/^\S+\.\S{2,}$/.test(text)) return setCurrent([])
      suggestions(text, leaving.signal).then(setCurrent, () => {})
    }, restMs)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [url])
  return (
    <div aria-live="polite">
      {current.length > 0 && (
        <p class="suggestions">
          <span>Made for this site:</span>
          {current.slice(0, maxVisible).map(({ input, ...scraper }) => (
            <Link
              key={scraper.slug}
              class="chip"
              to={`/scrapers/${scraper.slug}${input ? `?${queryOf(input)}` : ""}`}
            >
              {shortName(scraper)}
            </Link>
          ))}
        </p>
      )}
    </div>
  )
}
