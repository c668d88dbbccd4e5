import { foldSpace, textOrNull } from "../../extract/text.ts"
import type { XmlElement } from "../../extract/xml.ts"
import { Changed } from "../outcome.ts"

/** A PubmedArticle or PubmedBookArticle of an efetch answer; new elements of the DTD do no harm. */
export function readArticle(record: XmlElement) {
  const citation = record.first("MedlineCitation") ?? record.first("BookDocument")
  const article = citation?.first("Article") ?? record.first("BookDocument")
  const pmid = text(citation, "PMID")
  const title =
    text(article, "ArticleTitle") ??
    text(article, "VernacularTitle") ??
    text(article, "Book", "BookTitle")
  if (!pmid || !article) throw new Changed("PubMed's answer holds a record without an article.")
  const data = record.first("PubmedData") ?? record.first("PubmedBookData")
  const journal = article?.first("Journal")
  const issue = journal?.first("JournalIssue")
  const publicationDate = publicationDateOf(article)
  return {
    pmid,
    url: `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`,
    pmcid: articleId(data, "pmc"),
    doi: articleId(data, "doi") ?? electronicId(article),
    title,
    abstract: abstractOf(article),
    authors: list(article, "AuthorList", "Author").map(authorOf),
    journal: text(journal, "Title"),
    journalAbbreviation:
      text(journal, "ISOAbbreviation") ?? text(citation, "MedlineJournalInfo", "MedlineTA"),
    issn: text(journal, "ISSN"),
    volume: text(issue, "Volume"),
    issue: text(issue, "Issue"),
    pages: pagesOf(article),
    publicationDate,
    publicationYear: publicationDate ? Number(publicationDate.slice(0, 4)) : null,
    publicationTypes: texts([
      ...list(article, "PublicationTypeList", "PublicationType"),
      ...(article?.all("PublicationType") ?? []),
    ]),
    languages: texts(article?.all("Language") ?? []).map((language) => language.toLowerCase()),
    meshTerms: list(citation, "MeshHeadingList", "MeshHeading").flatMap(meshTermOf),
    keywords: texts(list(citation, "KeywordList", "Keyword")),
    chemicals: list(citation, "ChemicalList", "Chemical").flatMap(
      (one) => text(one, "NameOfSubstance") ?? [],
    ),
    grants: list(article, "GrantList", "Grant").map((grant) => ({
      id: text(grant, "GrantID"),
      agency: text(grant, "Agency"),
      country: text(grant, "Country"),
    })),
    publicationStatus: text(data, "PublicationStatus"),
    referenceCount: referencesOf(data),
    copyright: text(article, "Abstract", "CopyrightInformation"),
  }
}

/** The folded text at a path of child names; null when there is none. */
function text(element: XmlElement | undefined, ...path: string[]): string | null {
  const found = path.reduce((at, name) => at?.first(name), element)
  return textOrNull(foldSpace(found?.text ?? ""))
}

function texts(elements: XmlElement[]): string[] {
  return elements.flatMap((element) => text(element) ?? [])
}

/** The entries of all lists of a name. */
function list(element: XmlElement | undefined, name: string, entry: string): XmlElement[] {
  return element?.all(name).flatMap((one) => one.all(entry)) ?? []
}

function articleId(data: XmlElement | undefined, type: string): string | null {
  return text(
    list(data, "ArticleIdList", "ArticleId").find((id) => id.attribute("IdType") === type),
  )
}

function electronicId(article: XmlElement | undefined): string | null {
  return text(article?.all("ELocationID").find((id) => id.attribute("EIdType") === "doi"))
}

function abstractOf(article: XmlElement | undefined): string | null {
  const parts = list(article, "Abstract", "AbstractText").flatMap((part) => {
    const content = text(part)
    const label = part.attribute("Label")?.trim()
    return content ? [label ? `${label}: ${content}` : content] : []
  })
  return textOrNull(parts.join("\n\n"))
}

function authorOf(author: XmlElement) {
  const orcid = author.all("Identifier").find((id) => id.attribute("Source") === "ORCID")
  return {
    lastName: text(author, "LastName"),
    foreName: text(author, "ForeName"),
    initials: text(author, "Initials"),
    collectiveName: text(author, "CollectiveName"),
    orcid: text(orcid)?.replace(/^https?:\/\/orcid\.org\//i, "") ?? null,
    affiliations: texts([
      ...list(author, "AffiliationInfo", "Affiliation"),
      ...author.all("Affiliation"),
    ]),
  }
}

function pagesOf(article: XmlElement | undefined): string | null {
  const pages = text(article, "Pagination", "MedlinePgn")
  if (pages) return pages
  const [start, end] = ["StartPage", "EndPage"].map((name) => text(article, "Pagination", name))
  return start && end && end !== start ? `${start}-${end}` : (start ?? null)
}

/** A heading is a major topic by itself or by one of its qualifiers. */
function meshTermOf(heading: XmlElement) {
  const term = text(heading, "DescriptorName")
  if (!term) return []
  const qualifiers = heading.all("QualifierName")
  const majorTopic = heading.elements().some((one) => one.attribute("MajorTopicYN") === "Y")
  return [{ term, majorTopic, qualifiers: texts(qualifiers) }]
}

function referencesOf(data: XmlElement | undefined): number | null {
  if (!data?.first("ReferenceList")) return null
  return [...data.within("Reference")].length
}

/** The print date; the electronic one where the print date has no day. */
function publicationDateOf(article: XmlElement | undefined): string | null {
  const print =
    article?.first("Journal")?.first("JournalIssue")?.first("PubDate") ??
    article?.first("Book")?.first("PubDate")
  const printed = dateOf(print)
  if (printed?.length === 10) return printed
  const electronic = article
    ?.all("ArticleDate")
    .find((date) => (date.attribute("DateType") ?? "Electronic") === "Electronic")
  return dateOf(electronic) ?? printed
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; of a MedlineDate such as "1998 Dec-1999 Jan", the year. */
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
