import { useEffect, useState } from "preact/hooks"
import { type Brief, shortName, slugsFor, stateWords, titled } from "../../data/catalogue.ts"
import { Link } from "../../routing/router.tsx"

/** Milliseconds without typing before the search starts. */
const restMs = 150

/** Returns the scrapers for a need, best first; all of them without a text. */
export function useMatches(scrapers: Brief[], text: string): Brief[] {
  const [slugs, setSlugs] = useState<string[]>()
  useEffect(() => {
    const leaving = new AbortController()
    const need = text.trim()
    const search = () => {
      if (need === "") return setSlugs(undefined)
      slugsFor(need, leaving.signal).then(setSlugs, () => {})
    }
    const timer = setTimeout(search, slugs ? restMs : 0)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [text])
  if (slugs === undefined) return scrapers
  return slugs.flatMap((slug) => scrapers.find((scraper) => scraper.slug === slug) ?? [])
}

export function ScraperList({ scrapers }: { scrapers: Brief[] }) {
  return (
    <ul class="scrapers">
      {scrapers.map((scraper) => (
        <li key={scraper.slug}>
          <Link to={`/scrapers/${scraper.slug}`}>
            <strong>{shortName(scraper)}</strong>
            <span>{scraper.tagline}</span>
            <small>
              {[
                titled(scraper.category),
                scraper.verified ? "" : "unverified",
                stateWords[scraper.state],
              ]
                .filter(Boolean)
                .join(" · ")}
            </small>
          </Link>
        </li>
      ))}
    </ul>
  )
}
