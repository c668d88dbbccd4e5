import {
  distinct,
  integerOrNull,
  objectList,
  textList,
  textOrNull,
} from "../../extract/core/index.ts"
import { field, items, type Row, record, required } from "../kit/index.ts"

/** A work in OpenAlex's response; its IDs are URLs. */
export type Work = Row & { id: string; abstract_inverted_index?: Record<string, number[]> | null }

const named = (key: string) => (row: Row) => namesOf(row[key])

const countedYears = ({ counts_by_year }: Row) =>
  objectList(counts_by_year as Row[]).filter(
    (counted) =>
      integerOrNull(counted.year) !== null && integerOrNull(counted.cited_by_count) !== null,
  )

const pmcId = (address: string): string | null =>
  plainId(address)?.replace(/^(?:PMC)?/i, "PMC") ?? null

const referencedIds = ({ referenced_works }: Work): string[] =>
  textList(referenced_works).flatMap((address) => plainId(address) ?? [])

export const work = record({
  openalexId: required(field.text("id", "OpenAlex ID, for example W2741809807.", plainId)),
  url: required(field.text("id", "URL of the work on OpenAlex.")),
  doi: field.text("ids.doi|doi", "DOI of the work, for example 10.7717/peerj.4375.", (doi) =>
    textOrNull(doi.replace(/^https?:\/\/doi\.org\//i, "")),
  ),
  pmid: field.text("ids.pmid", "PubMed ID.", plainId),
  pmcid: field.text("ids.pmcid", "PubMed Central ID, with the prefix PMC.", pmcId),
  mag: field.text("ids.mag", "Microsoft Academic ID."),
  title: field.title("display_name|title", "Title of the work."),
  abstract: field.text(abstractOf, "Abstract of the work."),
  publicationDate: field.text("publication_date", "Date of publication (YYYY-MM-DD)."),
  publicationYear: field.integer("publication_year", "Year of publication."),
  type: field.text("type", "Kind of work, for example article."),
  language: field.text("language", "Language (ISO 639)."),
  authors: field.objects("authorships", "Authors in order; lists of works return the first 100.", {
    name: field.text("author.display_name|raw_author_name", "Name of the author."),
    openalexId: field.text("author.id", "OpenAlex ID of the author.", plainId),
    orcid: field.text("author.orcid", "ORCID iD of the author.", plainId),
    position: field.text("author_position", "Position of the author: first, middle or last."),
    isCorresponding: field.boolean("is_corresponding", "Whether this is the corresponding author."),
    institutions: field.texts(named("institutions"), "Names of the author's institutions."),
    countries: field.texts(
      countriesOf,
      "Country codes of the institutions (ISO 3166), for example US.",
    ),
  }),
  sourceName: field.text(
    "primary_location.source.display_name",
    "Name of the journal, repository or book series.",
  ),
  sourceType: field.text("primary_location.source.type", "Kind of source, for example journal."),
  issn: field.text("primary_location.source.issn_l", "Linking ISSN (ISSN-L) of the source."),
  publisher: field.text(
    "primary_location.source.host_organization_name",
    "Publisher or host of the source.",
  ),
  volume: field.text("biblio.volume", "Volume of the journal."),
  issue: field.text("biblio.issue", "Issue of the journal."),
  firstPage: field.text("biblio.first_page", "First page of the work."),
  lastPage: field.text("biblio.last_page", "Last page of the work."),
  citationCount: field.integer("cited_by_count", "Number of works that cite this work."),
  referenceCount: field.integer("referenced_works_count", "Number of works that this work cites."),
  fwci: field.number(
    "fwci",
    "Field-weighted citation impact: citations divided by the mean of the field.",
  ),
  isOpenAccess: field.boolean("open_access.is_oa", "Whether the work can be read free of charge."),
  openAccessStatus: field.text(
    "open_access.oa_status",
    "Open access status: diamond, gold, green, hybrid, bronze or closed.",
  ),
  openAccessUrl: field.text("open_access.oa_url", "URL of the free full text."),
  pdfUrl: field.text("best_oa_location.pdf_url", "URL of the PDF of the best free copy."),
  landingPageUrl: field.text(
    "primary_location.landing_page_url",
    "URL of the work's page at its source.",
  ),
  license: field.text("best_oa_location.license", "Licence of the best free copy."),
  primaryTopic: field.text("primary_topic.display_name", "Main topic of the work."),
  topics: field.texts(named("topics"), "Topics of the work."),
  keywords: field.texts(named("keywords"), "Keywords of the work."),
  concepts: field.texts(named("concepts"), "Concepts; OpenAlex no longer fills this field."),
  funders: field.texts(fundersOf, "Names of the funders."),
  awards: field.objects("awards|grants", "Awards and grants that funded the work.", {
    funder: field.text("funder_display_name", "Name of the funder."),
    awardId: field.text("funder_award_id|award_id", "Number of the award."),
  }),
  isRetracted: field.boolean("is_retracted", "Whether the work was retracted."),
  isParatext: field.boolean(
    "is_paratext",
    "Whether the record is not a work in the strict sense, for example a cover or a table of contents.",
  ),
  referencedWorks: field.texts(referencedIds, "OpenAlex IDs of the works that this work cites."),
  countsByYear: field.objects(countedYears, "Number of citations by year.", {
    year: required(field.integer("year", "Year of the citations.")),
    citationCount: required(field.integer("cited_by_count", "Number of citations in the year.")),
  }),
  relevanceScore: field.number(
    "relevance_score",
    "Relevance score for the query; null for a work requested by ID.",
  ),
  updatedAt: field.time("updated_date", "Time of the record's last update (ISO 8601, UTC)."),
  query: items.requiredText("Query as written in the input."),
})

/** Returns the last part of a URL such as https://openalex.org/W1 or https://orcid.org/0000-…. */
export function plainId(address: unknown): string | null {
  return textOrNull(
    textOrNull(address)
      ?.replace(/(?<!\/)\/+$/, "")
      .replace(/^.*\//, ""),
  )
}

/**
 * Returns the abstract, with its words in the order of their positions. They are sorted because a
 * list with a word at a wrong, large position would be as long as that position.
 */
function abstractOf({ abstract_inverted_index: index }: Work): string | null {
  const words = Object.entries(index ?? {}).flatMap(([word, positions]) =>
    (Array.isArray(positions) ? positions : [])
      .filter(Number.isInteger)
      .map((position) => [position, word] as const),
  )
  const ordered = words.toSorted(([one], [other]) => one - other)
  return textOrNull(ordered.map(([, word]) => word).join(" "))
}

/** Returns the names of a list; keywords in older records have a text of their own. */
const namesOf = (list: unknown) =>
  objectList(list as Row[]).flatMap(
    ({ display_name, keyword }) => textOrNull(display_name) ?? textOrNull(keyword) ?? [],
  )

/** Returns an author's countries; older records have them only in the institutions. */
function countriesOf({ countries, institutions }: Row): string[] {
  if (Array.isArray(countries)) return textList(countries)
  const places = objectList(institutions as Row[])
  return distinct(places.flatMap((place) => textOrNull(place.country_code) ?? []))
}

/** Returns the funders; `grants` is from before `funders` and `awards`. */
function fundersOf({ funders, awards, grants }: Row): string[] {
  const payers = objectList((awards ?? grants) as Row[]).map((award) => award.funder_display_name)
  return distinct([...namesOf(funders), ...payers.flatMap((name) => textOrNull(name) ?? [])])
}
