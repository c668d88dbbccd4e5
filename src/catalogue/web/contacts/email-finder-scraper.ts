import { Type } from "@sinclair/typebox"
import {
  emailPatterns,
  localPart,
  nameParts,
  patternByShape,
  patternOf,
} from "../../../extract/contact/index.ts"
import { defineScraper, inputs, items, oneOf, record } from "../../kit/index.ts"
import * as company from "./company-site.ts"

const kinds = "contact imprint about team support locations press careers blog privacy".split(" ")
const maxSources = 20
const observedConfidence = 75
/** Guesses for a name in addition to the one by the pattern that the domain uses. */
const otherGuesses = 3

const item = record({
  domain: items.requiredText("Domain of the input."),
  email: items.text("Email address in lower case."),
  type: oneOf(["found", "guessed", "none"], {
    description: "found (on the site), guessed (from a name), or none.",
  }),
  name: items.text("Name of the person to whom the email address belongs."),
  role: items.requiredBoolean(
    "Whether the mailbox belongs to a department, for example info or sales.",
  ),
  pattern: items.text("Pattern of the email address: {first}.{last}."),
  confidence: items.requiredInteger(
    "Confidence from 0 to 100. A guess cannot be verified without writing to it, because some domains accept mail for any name.",
  ),
  sources: items.texts("URLs of pages with this email address, at most 20."),
  firstSeenText: items.text("About 60 characters of text around the email address."),
  onDomain: items.requiredBoolean("Whether the email address belongs to the domain itself."),
  obfuscation: items.requiredText(
    "Obfuscation on the page: none, cloudflare, entity, at-text, reversed, rot, attribute.",
  ),
  mxFound: items.boolean("Whether the domain accepts mail; null if DNS could not be queried."),
  mxHosts: items.texts("Mail servers by preference."),
  mailProvider: items.text("Operator of the mail servers, for example Google Workspace."),
})

export default defineScraper({
  slug: "email-finder-scraper",
  name: "Email Finder",
  tagline: "Find email addresses of a domain, and guess those of named people.",
  notServed: ["verify by sending", "sending an email"],
  category: "business",
  fetchMethods: ["http", "browser-http", "browser"],
  input: {
    domain: inputs.text(
      "Domain, website URL or email address of the company, for example acme.com.",
    ),
    names: Type.Optional(
      inputs.texts("Full names of people whose email addresses to guess, for example Jane Doe.", {
        min: 0,
        max: 100,
      }),
    ),
    maxPages: inputs.count("Maximum pages of the site, including the first", { max: 100, or: 10 }),
  },
  item,
  example: { domain: "creativecommons.org", names: ["Ada Lovelace"] },
  probe: {
    expect: [
      "items.length gte 1",
      'items[0].domain equals "creativecommons.org"',
      "items[0].mxFound equals true",
    ],
  },
  rateLimit: { "*": { perSecond: 2, concurrency: 2 } },
  targets: (input) => [input.domain],
  identify: (target) => ({ input: target, domain: target }),

  async *scrape(target, ctx) {
    const domain = new URL(company.siteUrl(target)).hostname.replace(/^www\./, "")
    const first = await company.openSite(company.homeUrl(target), ctx)
    const { names = [], maxPages } = ctx.input
    const { pages } = await company.visitSite(first, kinds, maxPages, ctx, { sitemap: true })
    const mail = await company.mailHost(domain, ctx)
    const site = `https://${domain}/`
    const matches = company
      .mergedEmails(pages)
      .toSorted(
        (a, b) =>
          Number(company.isOnDomain(b.email, site)) - Number(company.isOnDomain(a.email, site)),
      )
    for (const match of matches) yield item.read({ domain, ...mail, ...found(match, names, site) })
    const known = new Set(matches.map(({ email }) => email.toLowerCase()))
    const observed = observedPattern(matches, names, site)
    for (const name of names) {
      for (const guess of guesses(name, domain, observed)) {
        if (known.has(guess.email)) continue
        known.add(guess.email)
        const confidence = mail.mxFound === false ? 0 : guess.confidence
        const values = { ...guess, ...unseen, name, confidence, onDomain: true }
        yield item.read({ domain, ...mail, type: "guessed", ...values })
      }
    }
    if (known.size > 0) return
    const none = { ...unseen, type: "none" as const, confidence: 0, onDomain: false }
    yield item.read({ domain, ...mail, ...none })
  },
})

function found(sourced: company.SourcedEmail, names: readonly string[], site: string) {
  const email = sourced.email.toLowerCase()
  const onDomain = company.isOnDomain(email, site)
  const role = company.isRoleAddress(email)
  const named = names.find((name) => patternOf(email, name) !== null) ?? null
  const name = named ?? (role ? null : sourced.person)
  return {
    ...sourced,
    email,
    type: "found" as const,
    name,
    role,
    pattern: name ? patternOf(email, name) : null,
    confidence: onDomain ? (role ? 90 : 95) : 80,
    sources: sourced.sources.slice(0, maxSources),
    firstSeenText: sourced.context,
    onDomain,
  }
}

/** Returns the pattern that all personal email addresses of the domain have; null if none. */
function observedPattern(
  emails: readonly company.SourcedEmail[],
  names: readonly string[],
  site: string,
) {
  const patterns = emails
    .filter(({ email }) => company.isOnDomain(email, site) && !company.isRoleAddress(email))
    .map(({ email, person }) => {
      const known = [...names, ...(person ? [person] : [])]
      return known.map((name) => patternOf(email, name)).find(Boolean) ?? patternByShape(email)
    })
  const [first] = patterns
  return first && patterns.every((pattern) => pattern === first) ? first : null
}

function guesses(name: string, domain: string, observed: string | null) {
  const patterns = emailPatterns.filter(({ pattern }) => pattern !== observed)
  const tried = observed
    ? [{ pattern: observed, confidence: observedConfidence }, ...patterns.slice(0, otherGuesses)]
    : patterns
  return tried.flatMap(({ pattern, confidence }) =>
    nameParts(name).flatMap((parts, index) => {
      const local = localPart(pattern, parts)
      // Other spellings of the name are less likely than the usual one.
      const likely = index === 0 ? confidence : Math.ceil(confidence / 2)
      return local === null ? [] : [{ email: `${local}@${domain}`, pattern, confidence: likely }]
    }),
  )
}

/** The values of an email address that is not on the site. */
const unseen = { role: false, obfuscation: "none" }
