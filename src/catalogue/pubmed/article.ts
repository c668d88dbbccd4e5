import { foldSpace, textOrNull, type XmlElement } from "../../extract/core/index.ts"
import { Changed, field, items, recordOf, required } from "../kit/index.ts"

/** The parts of a record that the fields are read from. */
type Parts = { pmid: string; article: XmlElement } & Record<OptionalPart, XmlElement | undefined>
type OptionalPart = "citation" | "data" | "journal" | "issue"

const at =
  (part: "article" | OptionalPart, ...path: string[]) =>
  (parts: Parts) =>
    text(parts[part], ...path)
const child = (name: string) => (element: XmlElement) => text(element, name)

const titleOf = ({ article }: Parts): string | null =>
  text(article, "ArticleTitle") ??
  text(article, "VernacularTitle") ??
  text(article, "Book", "BookTitle")

const affiliationsOf = (author: XmlElement): string[] =>
  texts([...list(author, "AffiliationInfo", "Affiliation"), ...author.all("Affiliation")])

const referencesOf = ({ data }: Parts): number | null =>
  !data?.first("ReferenceList") ? null : [...data.within("Reference")].length

export const article = recordOf<Parts>()({
  pmid: required(field.text("pmid", "PubMed ID.")),
  url: field.of(
    items.requiredText("URL of the article on PubMed."),
    ({ pmid }) => `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`,
  ),
  pmcid: field.text(({ data }) => articleId(data, "pmc"), "PubMed Central ID."),
  doi: field.text(
    ({ data, article }) =>
      articleId(data, "doi") ??
      text(article.all("ELocationID").find((id) => id.attribute("EIdType") === "doi")),
    "DOI of the article.",
  ),
  title: field.text(titleOf, "Title of the article."),
  abstract: field.text(abstractOf, "Abstract; blank lines separate its labelled parts."),
  authors: field.objects(
    ({ article }) => list(article, "AuthorList", "Author"),
    "Authors in the order of the article.",
    {
      lastName: field.text(child("LastName"), "Family name of the author."),
      foreName: field.text(child("ForeName"), "Given names of the author."),
      initials: field.text(child("Initials"), "Initials of the author."),
      collectiveName: field.text(child("CollectiveName"), "Name of a group that is an author."),
      orcid: field.text(orcidOf, "ORCID iD of the author."),
      affiliations: field.texts(
        affiliationsOf,
        "Institutions of the author, as the article writes them.",
      ),
    },
  ),
  journal: field.text(at("journal", "Title"), "Name of the journal."),
  journalAbbreviation: field.text(
    ({ journal, citation }) =>
      text(journal, "ISOAbbreviation") ?? text(citation, "MedlineJournalInfo", "MedlineTA"),
    "Abbreviated name of the journal.",
  ),
  issn: field.text(at("journal", "ISSN"), "ISSN of the journal."),
  volume: field.text(at("issue", "Volume"), "Volume of the journal."),
  issue: field.text(at("issue", "Issue"), "Issue of the journal."),
  pages: field.text(pagesOf, "Page range, for example 12-19."),
  publicationDate: field.text(
    publicationDateOf,
    "Date of publication: YYYY, YYYY-MM or YYYY-MM-DD.",
  ),
  publicationYear: field.integer(
    (parts) => publicationDateOf(parts)?.slice(0, 4),
    "Year of publication.",
  ),
  publicationTypes: field.texts(typesOf, "Kinds of publication, for example Review."),
  languages: field.texts(
    ({ article }) => texts(article.all("Language")).map((language) => language.toLowerCase()),
    "Languages (ISO 639-2).",
  ),
  meshTerms: field.of(
    items.objects(
      "Medical subject headings; `majorTopic` is also true if a qualifier is a major topic.",
      {
        term: items.requiredText("Name of the heading, for example Neoplasms."),
        majorTopic: items.requiredBoolean(
          "Whether the heading or one of its qualifiers is a major topic of the article.",
        ),
        qualifiers: items.texts("Qualifiers of the heading, for example genetics."),
      },
    ),
    ({ citation }) => list(citation, "MeshHeadingList", "MeshHeading").flatMap(meshTermOf),
  ),
  keywords: field.texts(
    ({ citation }) => texts(list(citation, "KeywordList", "Keyword")),
    "Keywords of the article.",
  ),
  chemicals: field.texts(substancesOf, "Names of the substances in the article."),
  grants: field.objects(
    ({ article }) => list(article, "GrantList", "Grant"),
    "Grants that funded the article.",
    {
      id: field.text(child("GrantID"), "Number of the grant."),
      agency: field.text(child("Agency"), "Agency that gave the grant."),
      country: field.text(child("Country"), "Country of the agency."),
    },
  ),
  publicationStatus: field.text(
    at("data", "PublicationStatus"),
    "Status of the publication, for example ppublish or aheadofprint.",
  ),
  referenceCount: field.integer(
    referencesOf,
    "Number of works that the article cites; null if they are not listed.",
  ),
  copyright: field.text(
    at("article", "Abstract", "CopyrightInformation"),
    "Copyright notice of the abstract.",
  ),
})

/**
 * Reads a PubmedArticle or PubmedBookArticle of an efetch response. Ignores elements that are new
 * in the DTD.
 */
export function readArticle(entry: XmlElement) {
  const citation = entry.first("MedlineCitation") ?? entry.first("BookDocument")
  const match = citation?.first("Article") ?? entry.first("BookDocument")
  const pmid = text(citation, "PMID")
  if (!pmid || !match) throw new Changed("PubMed's response has a record without an article.")
  const journal = match.first("Journal")
  return article.read({
    pmid,
    citation,
    article: match,
    data: entry.first("PubmedData") ?? entry.first("PubmedBookData"),
    journal,
    issue: journal?.first("JournalIssue"),
  })
}

/** Returns the text at a path of child names with its white space folded; null if there is none. */
function text(element: XmlElement | undefined, ...path: string[]): string | null {
  const match = path.reduce((match, name) => match?.first(name), element)
  return textOrNull(foldSpace(match?.text ?? ""))
}

const texts = (elements: XmlElement[]) => elements.flatMap((element) => text(element) ?? [])

const list = (element: XmlElement | undefined, name: string, entry: string) =>
  element?.all(name).flatMap((match) => match.all(entry)) ?? []

const articleId = (data: XmlElement | undefined, type: string): string | null =>
  text(list(data, "ArticleIdList", "ArticleId").find((id) => id.attribute("IdType") === type))

function abstractOf({ article }: Parts): string | null {
  const parts = list(article, "Abstract", "AbstractText").flatMap((part) => {
    const content = text(part)
    const label = part.attribute("Label")?.trim()
    return content ? [label ? `${label}: ${content}` : content] : []
  })
  return textOrNull(parts.join("\n\n"))
}

function orcidOf(author: XmlElement): string | undefined {
  const orcid = author.all("Identifier").find((id) => id.attribute("Source") === "ORCID")
  return text(orcid)?.replace(/^https?:\/\/orcid\.org\//i, "")
}

function typesOf({ article }: Parts): string[] {
  const types = list(article, "PublicationTypeList", "PublicationType")
  return texts([...types, ...article.all("PublicationType")])
}

function substancesOf({ citation }: Parts): string[] {
  const chemicals = list(citation, "ChemicalList", "Chemical")
  return chemicals.flatMap((chemical) => text(chemical, "NameOfSubstance") ?? [])
}

function pagesOf({ article }: Parts): string | null {
  const pages = text(article, "Pagination", "MedlinePgn")
  if (pages) return pages
  const [start, end] = ["StartPage", "EndPage"].map((name) => text(article, "Pagination", name))
  return start && end && end !== start ? `${start}-${end}` : (start ?? null)
}

/** Returns a heading; it is a major topic if it or one of its qualifiers is marked as such. */
function meshTermOf(heading: XmlElement) {
  const term = text(heading, "DescriptorName")
  if (!term) return []
  const qualifiers = heading.all("QualifierName")
  const majorTopic = heading.elements().some((part) => part.attribute("MajorTopicYN") === "Y")
  return [{ term, majorTopic, qualifiers: texts(qualifiers) }]
}

/** Returns the print date; the electronic date if the print date has no day. */
function publicationDateOf({ article, issue }: Parts): string | null {
  const printed = dateOf(issue?.first("PubDate") ?? article.first("Book")?.first("PubDate"))
  if (printed?.length === 10) return printed
  const electronic = article
    .all("ArticleDate")
    .find((date) => (date.attribute("DateType") ?? "Electronic") === "Electronic")
  return dateOf(electronic) ?? printed
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/**
 * Returns `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; for a MedlineDate such as "1998 Dec-1999 Jan", the
 * year.
 */
function dateOf(date: XmlElement | undefined): string | null {
  const year = text(date, "Year") ?? /\d{4}/.exec(text(date, "MedlineDate") ?? "")?.[0] ?? null
  const named = text(date, "Month")?.toLowerCase() ?? ""
  const month = /^\d+$/.test(named) ? Number(named) : months.indexOf(named.slice(0, 3)) + 1
  if (year === null || month === 0) return year
  const parts = [year, String(month).padStart(2, "0")]
  const day = text(date, "Day")
  if (day) parts.push(day.padStart(2, "0"))
  return parts.join("-")
}
