import { absoluteUrl, htmlToText } from "../../extract/core/index.ts"
import { type ApolloCache, fieldKeys, JsonReader } from "../../extract/embedded/index.ts"
import { field, type Row, record, required, type Source } from "../kit/index.ts"
import type { Profile } from "./state.ts"

/** A share is negative if there are too few ratings. */
const share = (source: Source<unknown>, description: string) =>
  field.number(source, description, (number) => (number >= 0 ? number : null))
/** A missing rating is 0. */
const stars = (source: Source<unknown>, description: string) =>
  field.number(source, description, (number) => (number > 0 ? number : null))

/** The company's ratings end with "Rating"; those of a review begin with "rating". */
const aspect = (name: string, description: string, ofReview = name) =>
  stars(`${name}Rating|rating${ofReview[0]!.toUpperCase()}${ofReview.slice(1)}`, description)

const aspects = {
  workLifeBalance: aspect(
    "workLifeBalance",
    "Rating of the work-life balance, in stars from 1 to 5.",
  ),
  cultureAndValues: aspect("cultureAndValues", "Rating of the culture and values."),
  diversityAndInclusion: aspect("diversityAndInclusion", "Rating of the diversity and inclusion."),
  careerOpportunities: aspect("careerOpportunities", "Rating of the career opportunities."),
  compensationAndBenefits: aspect("compensationAndBenefits", "Rating of the pay and benefits."),
  seniorManagement: aspect(
    "seniorManagement",
    "Rating of the senior management, in stars from 1 to 5.",
    "seniorLeadership",
  ),
}

const relation = {
  id: field.trimmed("id", "Glassdoor's ID of the company."),
  name: field.title("shortName|name", "Name."),
  url: field.trimmed("url", "URL of the company."),
}

const office = {
  address: field.trimmed("address", "Street."),
  city: field.title("cityName|city.name", "City."),
  region: field.title("administrativeAreaName1", "State or region."),
  postalCode: field.trimmed("postalCode", "Postal code."),
  country: field.title("countryName|country.name", "Country."),
}

const review = {
  id: required(field.trimmed("reviewId", "ID.")),
  publishedAt: field.time("reviewDateTime", "Time of writing (ISO 8601, assumed to be UTC)."),
  rating: stars("ratingOverall", "Overall rating (1-5)."),
  title: field.title("summary", "Headline."),
  pros: field.trimmed("pros", "Advantages, as the reviewer states them."),
  cons: field.trimmed("cons", "Disadvantages, as the reviewer states them."),
  advice: field.trimmed("advice", "Advice to the management."),
  jobTitle: field.title("jobTitle.text", "Job title of the reviewer."),
  location: field.title("location.name", "Location of the reviewer."),
  current: field.boolean("isCurrentJob", "Whether the reviewer still works there."),
  yearsEmployed: field.integer("lengthOfEmployment", "Years of employment at the company."),
  employmentStatus: field.trimmed("employmentStatus", "REGULAR, PART_TIME …"),
  ratings: required(
    field.object((row: Row) => row, "Ratings by aspect, from 1 to 5; null if not rated.", aspects),
  ),
  recommend: field.trimmed("ratingRecommendToFriend", "Recommendation: POSITIVE or NEGATIVE."),
  ceo: field.trimmed("ratingCeo", "APPROVE, DISAPPROVE or NO_OPINION."),
  outlook: field.trimmed("ratingBusinessOutlook", "POSITIVE, NEUTRAL or NEGATIVE."),
  helpfulCount: field.integer("countHelpful", "Number of readers who found the review helpful."),
  response: field.trimmed("response", "Reply by the company."),
}

const company = record({
  name: required(field.title("employer.shortName|employer.name", "Name.")),
  website: field.trimmed("employer.website", "URL of the website.", (url) =>
    /^https?:\/\//i.test(url) ? url : `https://${url}`,
  ),
  headquarters: field.title("employer.headquarters", "Headquarters."),
  size: field.title("employer.size", "Number of employees, for example 10000+ Employees."),
  sizeCategory: field.title("employer.sizeCategory", "Size category; only on overview pages."),
  type: field.title(
    "employer.type",
    "Type of company, for example Company - Public; only on overview pages.",
  ),
  revenue: field.title("employer.revenue", "Revenue, as displayed; only on overview pages."),
  foundedYear: field.integer(
    "employer.yearFounded",
    "Year of foundation; only on overview pages.",
    (year) => year || null,
  ),
  industry: field.title("industry.industryName", "Industry."),
  sector: field.title("industry.sectorName", "Sector."),
  description: field.trimmed(
    "overview.description",
    "About the company; only on overview pages.",
    htmlToText,
  ),
  mission: field.trimmed(
    "overview.mission",
    "Mission statement; only on overview pages.",
    htmlToText,
  ),
  logoUrl: field.trimmed("logoUrl", "URL of the logo."),
  coverUrl: field.trimmed("cover.hiResUrl", "URL of the cover image."),
  rating: field.number("rating", "Overall rating (1-5)."),
  ratings: required(field.object("ratings", "Ratings by aspect (1-5).", aspects)),
  recommendToFriend: share(
    "ratings.recommendToFriendRating",
    "Share of reviewers who would recommend the company (0-1).",
  ),
  businessOutlook: share(
    "ratings.businessOutlookRating",
    "Share of reviewers who expect the business to grow (0-1).",
  ),
  ceo: field.object("ceo", "Chief executive officer.", {
    name: required(field.title("name", "Name.")),
    title: field.title("title", "Title."),
    approval: share("approval", "Share of reviewers who approve (0-1)."),
    ratingCount: field.integer("ratingCount", "Number of ratings of the CEO."),
    imageUrl: field.trimmed("photo", "URL of the image."),
  }),
  reviewCount: field.integer(
    "employer.counts.reviewCount|reviews.allReviewsCount",
    "Number of reviews in all languages.",
  ),
  ratedReviewCount: field.integer(
    "reviews.ratedReviewsCount",
    "Number of reviews that count for the ratings.",
  ),
  salaryCount: field.integer("employer.counts.salaryCount", "Number of salaries."),
  jobCount: field.integer("employer.counts.globalJobCount.jobCount", "Number of open jobs."),
  interviewCount: field.integer("employer.counts.interviewCount", "Number of interviews."),
  benefitCount: field.integer("employer.counts.benefitCount", "Number of reviews of benefits."),
  photoCount: field.integer("employer.counts.photoCount", "Number of photos."),
  reviewsByLanguage: field.objects("languages", "Number of reviews by language.", {
    code: required(field.trimmed("code", "Language (ISO 639-3).")),
    count: required(field.integer("count", "Number of reviews.")),
  }),
  offices: field.objects("offices", "Offices; empty if the page does not list them.", office),
  subsidiaries: field.objects("subsidiaries", "Subsidiaries.", relation),
  parent: field.object("parent", "Parent company.", relation),
  ratingDistribution: field.object("distribution", "Number of reviews per number of stars.", {
    "5": field.integer("_5", "Number of reviews with 5 stars."),
    "4": field.integer("_4", "Number of reviews with 4 stars."),
    "3": field.integer("_3", "Number of reviews with 3 stars."),
    "2": field.integer("_2", "Number of reviews with 2 stars."),
    "1": field.integer("_1", "Number of reviews with 1 star."),
  }),
  lastReviewAt: field.time(
    "reviews.lastReviewDateTime",
    "Time of the last review (ISO 8601, assumed to be UTC).",
  ),
  reviews: field.objects("listed", "Reviews that the page contains.", review),
})

export const companyFields = company.fields

/** Returns all item fields except those that identify the company. */
export function companyOf({ cache, employer, reviews: reviewData, stated }: Profile, base: string) {
  const reviews = reviewData ?? new JsonReader(null)
  const ratings = cache.at(reviews, "ratings")
  const overall = reviews.in("ratingCountDistribution", "overall")
  return company.read({
    employer: employer.root,
    reviews: reviews.root,
    industry: cache.at(employer, "primaryIndustry").root,
    overview: cache.at(employer, "overview").root,
    cover: cache.at(employer, "coverPhoto").root,
    logoUrl: imageOf(employer, "squareLogoUrl"),
    ratings: ratings.root ?? {},
    rating: overallOf(ratings) ?? overallOf(cache.at(employer, "ratings")) ?? stated,
    ceo: ceoOf(cache, employer, ratings),
    languages: reviews.list("filteredReviewsCountByLang").flatMap((entry) => {
      const code = entry.text("isoLanguage") ?? entry.text("code") ?? entry.text("language")
      const count = entry.integer("count")
      return code && count !== null ? [{ code, count }] : []
    }),
    offices: cache.list(employer, "officeAddresses").flatMap((entry) => officeOf(cache, entry)),
    subsidiaries: cache
      .list(employer, "subsidiaries")
      .flatMap((entry) => relationOf(relative(cache, entry), base) ?? []),
    parent: relationOf(cache.at(employer, "parent", "employer"), base),
    distribution: overall.has("_5") ? overall.root : null,
    listed: cache
      .list(reviews, "reviews")
      .flatMap((entry) => (entry.text("reviewId") ? [reviewOf(cache, entry)] : [])),
  })
}

const overallOf = (ratings: JsonReader) => {
  const rating = ratings.number("overallRating")
  return rating !== null && rating > 0 ? rating : null
}

/** Returns the large image: the field's name contains the size as an argument. */
function imageOf(object: JsonReader, field: string): string | null {
  const keys = fieldKeys(object, field)
  const large = keys.find((key) => key.includes("LARGE"))
  for (const key of large ? [large, ...keys] : keys) {
    const image = object.text(key)
    if (image) return image
  }
  return null
}

function ceoOf(cache: ApolloCache, employer: JsonReader, ratings: JsonReader): Row | null {
  const rated = cache.at(ratings, "ratedCeo")
  const ceo = rated.has("name") ? rated : cache.at(employer, "ceo")
  if (!ceo.title("name")) return null
  return {
    ...(ceo.root as Row),
    approval: ratings.value("ceoRating"),
    ratingCount: ratings.value("ceoRatingsCount"),
    photo: imageOf(ceo, "photoUrl"),
  }
}

const address = record(office)

function officeOf(cache: ApolloCache, entry: JsonReader): Row[] {
  const row = {
    ...(entry.root as Row),
    address: [entry.title("addressLine1"), entry.title("addressLine2")].filter(Boolean).join(", "),
    city: cache.at(entry, "city").root,
    country: cache.at(entry, "country").root,
  }
  return Object.values(address.read(row)).some((value) => value !== null) ? [row] : []
}

/** A subsidiary is a company, or contains it as `employer`. */
const relative = (cache: ApolloCache, entry: JsonReader) =>
  entry.has("employer") ? cache.at(entry, "employer") : entry

function relationOf(entry: JsonReader, base: string): Row | null {
  const name = entry.title("shortName") ?? entry.title("name")
  if (!name && !entry.text("id")) return null
  return { ...(entry.root as Row), url: absoluteUrl(entry.text("links", "overviewUrl"), base) }
}

const reviewOf = (cache: ApolloCache, entry: JsonReader): Row => ({
  ...(entry.root as Row),
  jobTitle: cache.at(entry, "jobTitle").root,
  location: cache.at(entry, "location").root,
  response: cache.list(entry, "employerResponses")[0]?.value("response"),
})
