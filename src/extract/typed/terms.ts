/**
 * What callers call things, and where schema.org has them: names apart by commas, then paths in the
 * order in which they are tried. `Type:path` holds for nodes of that type alone.
 */
const rows = `
name, full name, display name, product name, product title, item name, event name, event title, recipe name, recipe title, organization name, organisation name, person name, company name = name, headline, title, legalName
title, headline, heading = title, headline, name
company, employer, hiring organization, hiring company, organization, organisation, works for = hiringOrganization, worksFor, organizer, publisher, affiliation
job title, position, role, occupation, job name = JobPosting:title, jobTitle, hasOccupation, roleName
description, summary, about, abstract, overview, details, bio, biography, synopsis, text, body = description, abstract, disambiguatingDescription, reviewBody, text, articleBody
url, link, href, page url, permalink, product url, event url, job url = url, mainEntityOfPage, @id
website, homepage, home page, web site = url, sameAs
image, image url, photo, picture, thumbnail, main image, images, photos, pictures = image, photo, thumbnailUrl, primaryImageOfPage, associatedMedia
logo, logo url = logo, image
price, current price, sale price, price amount, amount, cost, ticket price, price value = offers.price, price, offers.priceSpecification.price, priceSpecification.price, offers.lowPrice, lowPrice, estimatedCost
currency, price currency, currency code = offers.priceCurrency, priceCurrency, offers.priceSpecification.priceCurrency, currency, baseSalary.currency
list price, original price, old price, regular price, was price, rrp, msrp = listPrice, offers.priceSpecification.price
low price, lowest price, min price, minimum price = offers.lowPrice, lowPrice
high price, highest price, max price, maximum price = offers.highPrice, highPrice
availability, stock status, stock, availability status = offers.availability, availability
in stock, available, is available, is in stock = inStock, offers.availability, availability
brand, brand name, manufacturer, maker, make = brand, manufacturer
sku, product code, item number, article number, product id, item code, product number, stock code = sku, offers.sku, productID
gtin, ean, upc, barcode, gtin13, ean13 = gtin, gtin13, gtin12, gtin14, gtin8, offers.gtin13, offers.gtin
isbn, isbn13, isbn10 = isbn, workExample.isbn, gtin13
mpn, model, model number, part number, manufacturer part number = mpn, model
condition, item condition = offers.itemCondition, itemCondition
category, categories, product category, section, genre, genres, industry = category, recipeCategory, articleSection, genre, industry, occupationalCategory, applicationCategory
color, colour = color
weight = weight
dimensions, size = size
rating, average rating, rating value, stars, score, overall rating = aggregateRating.ratingValue, reviewRating.ratingValue, ratingValue, starRating.ratingValue, contentRating
best rating, max rating = aggregateRating.bestRating, reviewRating.bestRating, bestRating
review count, reviews count, rating count, ratings count, count, number of reviews, number of ratings, total reviews = aggregateRating.reviewCount, aggregateRating.ratingCount, reviewCount, ratingCount
reviews, customer reviews = review, reviews
offers, variants, deals = offers, hasVariant
seller, shop, store, merchant, sold by = offers.seller, seller
author, authors, writer, byline, creator, written by, reviewer, reviewed by = author, creator
publisher, site name, publication = publisher, provider, sourceOrganization
director, directors = director
actors, cast, starring = actor
date published, published, published at, published on, publish date, publication date, release date = datePublished, uploadDate, releaseDate, dateCreated, datePosted
date posted, posted, posted at, posted on, posting date, post date = datePosted, datePublished, uploadDate
date, event date, date and time = Event:startDate, JobPosting:datePosted, datePublished, startDate, dateCreated, uploadDate
date modified, updated, updated at, modified, last updated, last modified = dateModified
keywords, tags, topics = keywords, about
language, languages = inLanguage, knowsLanguage, availableLanguage
word count = wordCount
ingredients, ingredient list, recipe ingredients, ingredient = recipeIngredient, ingredients, supply
instructions, steps, directions, method, preparation, recipe instructions, how to = recipeInstructions, step
prep time, preparation time, prep time minutes, preparation time minutes = prepTime
cook time, cooking time, cook time minutes, cooking time minutes, bake time = cookTime, performTime
total time, total time minutes, ready in, time, duration minutes = totalTime, duration
duration, length, runtime, running time = duration, timeRequired, totalTime
servings, yield, serves, portions, number of servings, recipe yield = recipeYield, yield
calories, kcal, energy = nutrition.calories
protein = nutrition.proteinContent
fat = nutrition.fatContent
carbohydrates, carbs = nutrition.carbohydrateContent
nutrition, nutrition facts = nutrition
cuisine, cuisines = recipeCuisine, servesCuisine
diet, suitable for diet = suitableForDiet
start date, start, starts at, start time, starts, begins, start date time, when = startDate, doorTime
end date, end, ends at, end time, ends, end date time = endDate
venue, location, place, where, event location, venue name, location name, workplace = location, jobLocation, contentLocation, address
organizer, organiser, host, organized by, hosted by = organizer
performers, performer, artists, artist, lineup, speakers, speaker, bands = performer, performers, byArtist, actor
event status = eventStatus
attendance mode, event attendance mode = eventAttendanceMode
tickets url, ticket url, tickets = offers.url, url
salary, pay, compensation, base salary, wage = baseSalary.value, baseSalary, estimatedSalary.value, estimatedSalary
salary min, min salary, minimum salary, salary from = baseSalary.value.minValue, baseSalary.minValue, estimatedSalary.minValue, baseSalary.value.value
salary max, max salary, maximum salary, salary to = baseSalary.value.maxValue, baseSalary.maxValue, estimatedSalary.maxValue
min, minimum, from = minValue, value.minValue, minPrice
max, maximum, to = maxValue, value.maxValue, maxPrice
unit, period, interval = unitText, value.unitText
salary currency = baseSalary.currency, salaryCurrency, baseSalary.value.currency, estimatedSalary.currency
salary period, salary unit, pay period = baseSalary.value.unitText, baseSalary.unitText
employment type, job type, contract type, employment, work type = employmentType
valid through, application deadline, expires, expires at, deadline, closing date, apply by = validThrough, applicationDeadline
apply url, application url, apply link, application link = applicationContact.url, url
remote, is remote, telecommute = jobLocationType
experience, experience requirements, requirements = experienceRequirements, qualifications
qualifications = qualifications, educationRequirements
education, education requirements = educationRequirements
skills, required skills = skills, knowsAbout
responsibilities, duties = responsibilities
benefits, job benefits, perks = jobBenefits, benefits
work hours, working hours = workHours
department, team = hiringOrganization.department, department
address, postal address, full address, mailing address = address, location.address, jobLocation.address
street, street address, address line, address line1 = streetAddress, address.streetAddress, location.address.streetAddress, jobLocation.address.streetAddress
city, locality, town, address locality = addressLocality, address.addressLocality, location.address.addressLocality, jobLocation.address.addressLocality
region, state, province, county, address region = addressRegion, address.addressRegion, location.address.addressRegion, jobLocation.address.addressRegion
postal code, zip, zip code, postcode = postalCode, address.postalCode, location.address.postalCode, jobLocation.address.postalCode
country, country code, address country = addressCountry, address.addressCountry, location.address.addressCountry, jobLocation.address.addressCountry, countryOfOrigin, nationality
phone, telephone, tel, phone number, telephone number, mobile = telephone, contactPoint.telephone, phone
email, mail, email address, contact email = email, contactPoint.email
fax, fax number = faxNumber, contactPoint.faxNumber
founded, founding date, year founded, founding year, established, founded in, foundation date = foundingDate
founder, founders, founded by = founder, founders
employees, number of employees, employee count, employees count, company size, headcount, staff = numberOfEmployees
legal name, registered name = legalName
vat id, vat number, vat = vatID
tax id = taxID
opening hours, hours, business hours = openingHours, openingHoursSpecification
social links, socials, social profiles, social media, profiles, same as = sameAs
price range = priceRange
latitude, lat = latitude, geo.latitude, location.geo.latitude
longitude, lng, lon = longitude, geo.longitude, location.geo.longitude
first name, given name, forename = givenName
last name, family name, surname = familyName
birth date, date of birth, born, birthday = birthDate
death date, died = deathDate
birth place, place of birth = birthPlace
gender, sex = gender
nationality, citizenship = nationality
alma mater, university = alumniOf
spouse = spouse
awards, award = award
questions, faq, faqs = mainEntity
question = name
answer = acceptedAnswer.text, acceptedAnswer, suggestedAnswer.text
items, results, entries, list, products, listings = itemListElement, hasPart, mainEntity.itemListElement, itemOffered
pages, page count, number of pages = numberOfPages
edition = bookEdition
version, software version = softwareVersion, version
operating system, platform = operatingSystem
license = license
`

export interface Term {
  /** In words, lower case: `date posted`. */
  names: readonly string[]
  paths: readonly { type: string | null; steps: readonly string[] }[]
}

const byName = new Map<string, Term>()
for (const row of rows.trim().split("\n")) {
  const [left, right] = row.split(" = ") as [string, string]
  const names = left.split(", ")
  const paths = right.split(", ").map(readPath)
  for (const name of names) byName.set(bareName(name), { names, paths })
}

function readPath(written: string): Term["paths"][number] {
  const colon = written.indexOf(":")
  const type = colon < 0 ? null : written.slice(0, colon)
  return {
    type,
    steps: written
      .slice(colon + 1)
      .split(".")
      .map(bareName),
  }
}

/** `datePosted`, `date_posted` and `Date posted` are the same name. */
export function bareName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}@]+/gu, "")
}

/** `datePosted` and `date_posted` as words: `date posted`. */
export function wordsOf(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()
}

/** What a property's name stands for; nothing is known of most names but what they say. */
export function termOf(name: string): Term | null {
  return byName.get(bareName(name)) ?? null
}

/** Names that any thing has: they tell nothing of what it is. */
const general = new Set(
  "name title headline heading description summary url link website homepage image imageurl logo id type text date language tags keywords category".split(
    " ",
  ),
)
export const isGeneral = (name: string) => general.has(bareName(name))

/** What lists of these names are lists of. */
const kinds: Record<string, string> = {
  Product: "product item good article",
  JobPosting: "job position opening vacancy posting",
  Event: "event concert show talk session",
  Recipe: "recipe",
  Article: "article post story news",
  Person: "person people member team staff employee speaker author",
  Organization: "organization organisation company business",
  Review: "review",
  Question: "question faq",
  Offer: "offer",
  Book: "book",
  Movie: "movie film",
  VideoObject: "video",
  Course: "course",
  Place: "place venue location",
}

/** The types that a name or a title speaks of: `jobPostings` of JobPosting. */
export function typesNamed(name: string): string[] {
  const words = wordsOf(name).split(" ")
  const singular = new Set(words.flatMap((word) => [word, singularOf(word)]))
  return Object.entries(kinds)
    .filter(
      ([type, list]) =>
        singular.has(type.toLowerCase()) || list.split(" ").some((word) => singular.has(word)),
    )
    .map(([type]) => type)
}

const singularOf = (word: string) =>
  word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.endsWith("s") ? word.slice(0, -1) : word

/** A type of schema.org as one of the above: a MusicEvent is an Event. */
export function familyOf(written: string): string {
  const type = written.slice(0, 1).toUpperCase() + written.slice(1)
  if (/Event$|^Festival$/.test(type)) return "Event"
  if (/Article$|^BlogPosting$|^Report$/.test(type)) return "Article"
  if (/^(?:ProductGroup|IndividualProduct|ProductModel|Vehicle|Car)$/.test(type)) return "Product"
  if (/^(?:Corporation|NGO|\w*Organization|\w*Business|\w*Store|Restaurant|Hotel)$/.test(type))
    return "Organization"
  return type
}
