import { type Brief, shortName, stateWords, titled } from "../../data/catalogue.ts"
import { Link } from "../../router.tsx"

/** The scrapers whose words hold all that is searched for, best first. */
export function search(scrapers: Brief[], text: string): Brief[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return scrapers
  const rank = ({ name, slug }: Brief) =>
    words.every((word) => `${name} ${slug}`.toLowerCase().includes(word)) ? 0 : 1
  return scrapers
    .filter(({ slug, name, tagline, category }) => {
      const all = `${slug} ${name} ${tagline} ${category}`.toLowerCase()
      return words.every((word) => all.includes(word))
    })
    .sort((a, b) => rank(a) - rank(b))
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
                scraper.proven ? "" : "unproven",
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
