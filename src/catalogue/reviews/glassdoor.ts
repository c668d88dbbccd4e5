import { type ApolloCache, fieldKeys } from "../../extract/apollo.ts"
import { isoDate } from "../../extract/dates.ts"
import { absoluteUrl } from "../../extract/html.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { htmlToText } from "../../extract/text.ts"
import type { Profile } from "./glassdoor-state.ts"

const nothing = new JsonReader(null)

/** An item's fields, all but those that name the company. */
export function companyFields({ cache, employer, reviews: found, stated }: Profile, base: string) {
  const reviews = found ?? nothing
  const ratings = cache.at(reviews, "ratings")
  const counts = employer.in("counts")
  const industry = cache.at(employer, "primaryIndustry")
  const stars = reviews.in("ratingCountDistribution", "overall")
  return {
    name: employer.title("shortName") ?? employer.title("name")!,
    website: websiteOf(employer.text("website")),
    headquarters: employer.title("headquarters"),
    size: employer.title("size"),
    sizeCategory: employer.title("sizeCategory"),
    type: employer.title("type"),
    revenue: employer.title("revenue"),
    foundedYear: employer.integer("yearFounded") || null,
    industry: industry.title("industryName"),
    sector: industry.title("sectorName"),
    description: htmlToText(cache.at(employer, "overview").value("description")),
    mission: htmlToText(cache.at(employer, "overview").value("mission")),
    logoUrl: pictureOf(employer, "squareLogoUrl"),
    coverUrl: cache.at(employer, "coverPhoto").text("hiResUrl"),
    rating:
      starsAt(ratings, "overallRating") ??
      starsAt(cache.at(employer, "ratings"), "overallRating") ??
      stated,
    ratings: {
      workLifeBalance: starsAt(ratings, "workLifeBalanceRating"),
      cultureAndValues: starsAt(ratings, "cultureAndValuesRating"),
      diversityAndInclusion: starsAt(ratings, "diversityAndInclusionRating"),
      careerOpportunities: starsAt(ratings, "careerOpportunitiesRating"),
      compensationAndBenefits: starsAt(ratings, "compensationAndBenefitsRating"),
      seniorManagement: starsAt(ratings, "seniorManagementRating"),
    },
    recommendToFriend: shareAt(ratings, "recommendToFriendRating"),
    businessOutlook: shareAt(ratings, "businessOutlookRating"),
    ceo: ceoOf(cache, employer, ratings),
    reviewCount: counts.integer("reviewCount") ?? reviews.integer("allReviewsCount"),
    ratedReviewCount: reviews.integer("ratedReviewsCount"),
    salaryCount: counts.integer("salaryCount"),
    jobCount: counts.integer("globalJobCount", "jobCount"),
    interviewCount: counts.integer("interviewCount"),
    benefitCount: counts.integer("benefitCount"),
    photoCount: counts.integer("photoCount"),
    reviewsByLanguage: reviews.list("filteredReviewsCountByLang").flatMap((language) => {
      const code =
        language.text("isoLanguage") ?? language.text("code") ?? language.text("language")
      const count = language.integer("count")
      return code && count !== null ? [{ code, count }] : []
    }),
    offices: cache.list(employer, "officeAddresses").flatMap((office) => officeOf(cache, office)),
    subsidiaries: cache
      .list(employer, "subsidiaries")
      .flatMap((one) => companyOf(relative(cache, one), base) ?? []),
    parent: companyOf(cache.at(employer, "parent", "employer"), base),
    ratingDistribution: stars.has("_5")
      ? {
          "5": stars.integer("_5"),
          "4": stars.integer("_4"),
          "3": stars.integer("_3"),
          "2": stars.integer("_2"),
          "1": stars.integer("_1"),
        }
      : null,
    lastReviewAt: isoDate(reviews.text("lastReviewDateTime")),
    reviews: cache.list(reviews, "reviews").flatMap((review) => reviewOf(cache, review) ?? []),
  }
}

/** Below zero where too few have rated. */
function shareAt(ratings: JsonReader, field: string): number | null {
  const share = ratings.number(field)
  return share !== null && share >= 0 ? share : null
}

function starsAt(ratings: JsonReader, field: string): number | null {
  return shareAt(ratings, field) || null
}

function websiteOf(address: string | null): string | null {
  return address && !/^https?:\/\//i.test(address) ? `https://${address}` : address
}

/** A picture's field carries its size as an argument; the large one counts. */
function pictureOf(object: JsonReader, field: string): string | null {
  const keys = fieldKeys(object, field)
  const large = keys.find((key) => key.includes("LARGE"))
  for (const key of large ? [large, ...keys] : keys) {
    const picture = object.text(key)
    if (picture) return picture
  }
  return null
}

function ceoOf(cache: ApolloCache, employer: JsonReader, ratings: JsonReader) {
  const rated = cache.at(ratings, "ratedCeo")
  const ceo = rated.has("name") ? rated : cache.at(employer, "ceo")
  const name = ceo.title("name")
  if (!name) return null
  return {
    name,
    title: ceo.title("title"),
    approval: shareAt(ratings, "ceoRating"),
    ratingsCount: ratings.integer("ceoRatingsCount"),
    photoUrl: pictureOf(ceo, "photoUrl"),
  }
}

function officeOf(cache: ApolloCache, office: JsonReader) {
  const lines = [office.title("addressLine1"), office.title("addressLine2")].filter(Boolean)
  const fields = {
    address: lines.join(", ") || null,
    city: office.title("cityName") ?? cache.at(office, "city").title("name"),
    region: office.title("administrativeAreaName1"),
    postalCode: office.text("postalCode"),
    country: office.title("countryName") ?? cache.at(office, "country").title("name"),
  }
  return Object.values(fields).some((value) => value !== null) ? [fields] : []
}

/** A subsidiary is a company, or holds it as `employer`. */
function relative(cache: ApolloCache, one: JsonReader): JsonReader {
  return one.has("employer") ? cache.at(one, "employer") : one
}

function companyOf(company: JsonReader, base: string) {
  const name = company.title("shortName") ?? company.title("name")
  const id = company.text("id")
  if (!name && !id) return null
  return { id, name, url: absoluteUrl(company.text("links", "overviewUrl"), base) }
}

function reviewOf(cache: ApolloCache, review: JsonReader) {
  const id = review.text("reviewId")
  if (!id) return null
  const stars = (field: string) => review.number(field) || null
  return {
    id,
    date: isoDate(review.text("reviewDateTime")),
    rating: stars("ratingOverall"),
    title: review.title("summary"),
    pros: review.text("pros"),
    cons: review.text("cons"),
    advice: review.text("advice"),
    jobTitle: cache.at(review, "jobTitle").title("text"),
    location: cache.at(review, "location").title("name"),
    current: review.flag("isCurrentJob"),
    yearsEmployed: review.integer("lengthOfEmployment"),
    employmentStatus: review.text("employmentStatus"),
    ratings: {
      workLifeBalance: stars("ratingWorkLifeBalance"),
      cultureAndValues: stars("ratingCultureAndValues"),
      diversityAndInclusion: stars("ratingDiversityAndInclusion"),
      careerOpportunities: stars("ratingCareerOpportunities"),
      compensationAndBenefits: stars("ratingCompensationAndBenefits"),
      seniorManagement: stars("ratingSeniorLeadership"),
    },
    recommend: review.text("ratingRecommendToFriend"),
    ceo: review.text("ratingCeo"),
    outlook: review.text("ratingBusinessOutlook"),
    helpful: review.integer("countHelpful"),
    response: cache.list(review, "employerResponses")[0]?.text("response") ?? null,
  }
}
