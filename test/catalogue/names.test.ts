import { expect, test } from "bun:test"
import type { TSchema } from "@sinclair/typebox"
import { catalogue } from "../../src/catalogue/index.ts"

/** One name for each meaning, by the type of its values, and synonyms that must not be used. */
const names: Record<"string" | "number" | "boolean", Record<string, string>> = {
  string: {
    publishedAt:
      "published datePublished publishedDate publishDate pubDate publicationTime takenAt",
    updatedAt: "updated modified dateModified lastModified lastUpdated lastUpdatedAt",
    editedAt: "edited lastEditedAt",
    createdAt: "created dateCreated createdDate creationDate",
    fetchedAt: "scrapedAt retrievedAt readAt",
    language: "lang inLanguage languageCode",
    imageUrl: "image imageURL img imgUrl picture pictureUrl photo photoUrl artwork artworkUrl",
    thumbnailUrl: "thumbnail thumb thumbUrl thumbnailURL",
    logoUrl: "logo logoURL companyLogo companyLogoUrl",
    avatarUrl: "avatar profilePicUrl profilePicture profileImage profileImageUrl",
    authorAvatarUrl: "authorAvatar authorImage authorImageUrl",
    ownerAvatarUrl: "ownerAvatar ownerImage ownerImageUrl",
    reviewerAvatarUrl: "reviewerAvatar reviewerImage reviewerImageUrl",
    postalCode: "zip zipCode zipcode postcode postCode postal",
    phone: "telephone phoneNumber tel",
    currency: "currencyCode",
    hreflang: "hrefLang",
  },
  number: {
    likesCount: "likeCount likes favouritesCount favoritesCount favorites hearts heartCount",
    commentsCount: "commentCount comments numComments",
    repliesCount: "replyCount replies numReplies",
    repostsCount: "repostCount reposts retweetCount retweets reblogsCount",
    quotesCount: "quoteCount quotes",
    sharesCount: "shareCount shares numShares",
    savesCount: "saveCount saves favoriteCount",
    bookmarksCount: "bookmarkCount bookmarks",
    viewsCount: "viewCount views videoViewCount numViews",
    playsCount: "playCount plays videoPlayCount",
    followersCount: "followerCount followers",
    followingCount: "following followsCount followings",
    postsCount: "postCount posts statusesCount tweetsCount",
    videosCount: "videoCount numVideos",
    helpfulCount: "helpful helpfulVotes thumbsUpCount positiveFeedback usefulCount",
    rating: "averageRating ratingValue ratingAverage ratingsAverage",
    ratingCount: "ratingsCount ratingVotes numRatings",
    reviewCount: "reviewsCount numReviews numberOfReviews",
    position: "rank place",
    latitude: "lat",
    longitude: "lng lon long",
    durationSeconds: "duration durationInSeconds videoDuration",
    bedrooms: "beds",
    bathrooms: "baths",
  },
  boolean: { available: "inStock isAvailable isInStock" },
}

/** Fields that mean something else by one of those words. */
const otherMeanings = new Set([
  "airbnb-listings-scraper beds",
  // The rank in a market or on a site, instead of the position in a list.
  "amazon-product-scraper bestSellersRanks.rank",
  "coinpaprika-scraper rank",
  "deezer-artist-scraper topTracks.rank",
  "imdb-search-scraper rank",
  // Expected by recorded cases.
  "amazon-product-scraper inStock",
  "article-extractor published",
  "youtube-video-metadata likeCount",
  "youtube-video-metadata viewCount",
  // Names of the tags themselves.
  "company-enrichment-scraper openGraph.image",
  "opengraph-scraper twitter.image",
  "seo-page-analyzer openGraph.image",
  "seo-page-analyzer twitter.image",
])

const canonical = new Map(
  Object.entries(names).flatMap(([type, words]) =>
    Object.entries(words).flatMap(([name, others]) =>
      others.split(" ").map((other) => [`${type} ${other}`, name] as const),
    ),
  ),
)

/** Returns every field of a schema at any depth, including those in lists, with its path. */
function* fieldsOf(schema: TSchema, path: string[] = []): Generator<[string[], TSchema]> {
  for (const shape of schema.anyOf ?? []) yield* fieldsOf(shape, path)
  if (schema.items) yield* fieldsOf(schema.items, path)
  for (const [name, field] of Object.entries<TSchema>(schema.properties ?? {})) {
    yield [[...path, name], field]
    yield* fieldsOf(field, [...path, name])
  }
}

const typesOf = (schema: TSchema): string[] =>
  schema.anyOf?.flatMap(typesOf) ?? [schema.type === "integer" ? "number" : schema.type]

/** Returns the fields of a schema that use a synonym of a name, as `path: name`. */
function misnamed(slug: string, item: TSchema): string[] {
  return [...fieldsOf(item)].flatMap(([path, field]) => {
    const found = typesOf(field).map((type) => canonical.get(`${type} ${path.at(-1)}`))
    const name = found.find(Boolean)
    const fieldPath = `${slug} ${path.join(".")}`
    return name && !otherMeanings.has(fieldPath) ? [`${fieldPath}: ${name}`] : []
  })
}

test("fields with one meaning have one name", () => {
  const found = catalogue.flatMap(({ slug, item }) => misnamed(slug, item))
  expect(found, "after the colon is the name that siblings use; take it").toEqual([])
})

test("a name is found at any depth, and by the type of its values", () => {
  const text = { type: "string" }
  const home = {
    properties: { zip: { anyOf: [text, { type: "null" }] }, image: { type: "object" } },
  }
  const item = { anyOf: [{ properties: { homes: { type: "array", items: home } } }] }
  expect(misnamed("homes-scraper", item as unknown as TSchema)).toEqual([
    "homes-scraper homes.zip: postalCode",
  ])
})

test("each listed exception exists", () => {
  const places = new Set(
    catalogue.flatMap(({ slug, item }) =>
      [...fieldsOf(item)].map(([path]) => `${slug} ${path.join(".")}`),
    ),
  )
  expect([...otherMeanings].filter((fieldPath) => !places.has(fieldPath))).toEqual([])
})
