import { JsonReader } from "../../extract/embedded/index.ts"
import { Changed, type Context, NotFound, type Refusal, readOnce } from "../kit/index.ts"
import type { Page } from "./title.ts"

/** Data service of IMDb's own pages. It needs no key, but requires a client name. */
const endpoint = "https://api.graphql.imdb.com/"
const refusal: Refusal = { statuses: [202, 403, 405] }

/** The fields of `titleFields`, with the names of a page's state. */
const query = `query Title($id: ID!) {
  title(id: $id) {
    id
    titleText { text }
    originalTitleText { text }
    titleType { id isSeries isEpisode }
    releaseYear { year endYear }
    releaseDate { day month year country { id text } }
    runtime { seconds }
    certificate { rating }
    ratingsSummary { aggregateRating voteCount topRanking { rank } }
    meterRanking { currentRank }
    metacritic { metascore { score } }
    genres { genres { text } }
    interests(first: 20) { edges { node { primaryText { text } } } }
    keywords(first: 10) { edges { node { text } } }
    plot { plotText { plainText } }
    primaryImage { url }
    primaryVideos(first: 1) { edges { node { id } } }
    principalCredits { category { id text } credits { name { id nameText { text } } } }
    cast: credits(first: 18, filter: { categories: ["cast"] }) {
      edges { node { name { id nameText { text } primaryImage { url } } ... on Cast { characters { name } } } }
    }
    series { series { id titleText { text } } episodeNumber { seasonNumber episodeNumber } }
    episodes { episodes(first: 0) { total } seasons { number } }
    countriesDetails: countriesOfOrigin { countries { id text } }
    spokenLanguages { spokenLanguages { id text } }
    production: companyCredits(first: 20, filter: { categories: ["production"] }) {
      edges { node { company { id companyText { text } } } }
    }
    filmingLocations(first: 5) { edges { node { text } } }
    akas(first: 5) { edges { node { text } } }
    productionBudget { budget { amount currency } }
    lifetimeGross(boxOfficeArea: DOMESTIC) { total { amount currency } }
    worldwideGross: lifetimeGross(boxOfficeArea: WORLDWIDE) { total { amount currency } }
    openingWeekendGross(boxOfficeArea: DOMESTIC) { gross { total { amount currency } } }
    wins: awardNominations(first: 0, filter: { wins: WINS_ONLY }) { total }
    nominationsExcludeWins: awardNominations(first: 0, filter: { wins: EXCLUDE_WINS }) { total }
    prestigiousAwardSummary { award { text } wins }
    reviews(first: 0) { total }
    featuredReviews(first: 5) {
      edges { node { id author { username { text } } authorRating spoiler submissionDate
        summary { originalText } text { originalText { plaidHtml } } } }
    }
    moreLikeThisTitles(first: 12) {
      edges { node { id titleText { text } releaseYear { year } ratingsSummary { aggregateRating } } }
    }
  }
}`

/** Returns a title from the site's own data service, in the format of a page's state. */
export async function requestedTitle(id: string, ctx: Context): Promise<Page> {
  const response = await ctx.data(endpoint, {
    what: "the title",
    has: (response) => titleIn(response) !== undefined,
    refusal,
    identity: "browser",
    json: { operationName: "Title", query, variables: { id } },
    headers: {
      origin: "https://www.imdb.com",
      referer: "https://www.imdb.com/",
      "sec-fetch-site": "same-site",
      "x-imdb-client-name": "imdb-web-next-localized",
      "x-imdb-user-country": "US",
      "x-imdb-user-language": "en-US",
    },
    // The request has no side effects.
    retries: 1,
    accept: [400],
  })
  const title = titleIn(response)
  if (title === undefined) {
    const reason = new JsonReader(response.json()).text("errors", "0", "message")
    throw new Changed(`IMDb's data service returned an error: ${reason ?? "no title"}`, {
      response,
    })
  }
  if (title === null) throw new NotFound(`IMDb has no title ${id}.`, { url: response.url })
  return new JsonReader({ aboveTheFoldData: title, mainColumnData: title })
}

/** Null if IMDb reports that there is none, undefined for any other response. */
const titleIn = readOnce((response): object | null | undefined => {
  if (response.text().trimStart().startsWith("<")) return undefined
  const reported = response.json<{ data?: { title?: object | null } | null; errors?: unknown[] }>()
  const title = reported.data?.title
  if (title === null) return reported.errors?.length ? undefined : null
  const isReported = new JsonReader(title).title("titleText", "text")
  return isReported ? title : undefined
})
