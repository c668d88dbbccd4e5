import { documentTitle, sharedWords } from "../page/index.ts"
import {
  isOfType,
  nodesOfType,
  type SchemaNode,
  type StructuredData,
  textAt,
  textOfAny,
  valueUrl,
} from "../structured/index.ts"

const articleTypes = [
  "Article",
  "NewsArticle",
  "BlogPosting",
  "AdvertiserContentArticle",
  "AnalysisNewsArticle",
  "AskPublicNewsArticle",
  "BackgroundNewsArticle",
  "LiveBlogPosting",
  "MedicalScholarlyArticle",
  "OpinionNewsArticle",
  "Report",
  "ReportageNewsArticle",
  "ReviewNewsArticle",
  "SatiricalArticle",
  "ScholarlyArticle",
  "SocialMediaPosting",
  "TechArticle",
  "DiscussionForumPosting",
  "APIReference",
]

/** Types a page can be about when it has no article. */
const otherTypes = [
  "Product",
  "ProductGroup",
  "Recipe",
  "Event",
  "JobPosting",
  "Book",
  "Movie",
  "Course",
  "HowTo",
  "SoftwareApplication",
  "VideoObject",
  "Review",
  "CreativeWork",
]

/** The JSON-LD node that a page is about: an article before anything else; null for none. */
export function mainNode(
  structured: StructuredData,
  document: Document,
  pageUrl: string,
): SchemaNode | null {
  const jsonLd = { ...structured, microdata: [], rdfa: [] }
  const title = documentTitle(document)
  for (const types of [articleTypes, otherTypes]) {
    const nodes = nodesOfType(jsonLd, ...types).filter((node) => Object.keys(node).length > 2)
    if (nodes.length > 0) return bestMatch(jsonLd, nodes, title, pageUrl)
  }
  return null
}

/** Returns the node with the page's URL or title; else the first. */
function bestMatch(
  structured: StructuredData,
  nodes: SchemaNode[],
  title: string | null,
  pageUrl: string,
): SchemaNode {
  const path = new URL(pageUrl).pathname.replace(/\/$/, "")
  const score = (node: SchemaNode) => {
    const url = valueUrl(node.url ?? node.mainEntityOfPage ?? node["@id"] ?? null) ?? ""
    const own =
      path !== "" &&
      url
        .replace(/[?#].*$/, "")
        .replace(/\/$/, "")
        .endsWith(path)
    const name = textOfAny(structured, node, "headline", "name") ?? ""
    return (own ? 5 : 0) + sharedWords(name, title)
  }
  let best = nodes[0]!
  let bestScore = score(best)
  for (const node of nodes.slice(1)) {
    const nodeScore = score(node)
    if (nodeScore > bestScore) [best, bestScore] = [node, nodeScore]
  }
  return best
}

/** The JSON-LD node of the page itself; it often has the dates. */
export function webPageNode(structured: StructuredData): SchemaNode | null {
  const pages = structured.jsonLd
    .map((entity) => entity.data)
    .filter((node) => isOfType(node, "WebPage", "ItemPage", "ProfilePage", "CollectionPage"))
  return pages.find((node) => textAt(structured, node, "datePublished")) ?? pages[0] ?? null
}
