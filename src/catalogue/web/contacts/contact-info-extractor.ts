import { ownerDomain } from "../../../extract/links/index.ts"
import { defineScraper, inputs, items, oneOf, record } from "../../kit/index.ts"
import { identifyPage } from "../page/open.ts"
import * as company from "./company-site.ts"

const kinds = ["contact", "imprint", "about", "team", "support", "locations", "privacy"]

const contacts = record({
  input: items.requiredText("Website as written in the input."),
  url: items.requiredText("URL of the first page after redirects."),
  domain: items.text("Registered domain of the site."),
  name: items.text("Name of the site's owner."),
  emails: items.objects("Email addresses in the order of discovery.", {
    email: items.requiredText("Email address."),
    type: oneOf(["role", "personal"], {
      description: "Kind of email address: role (for example info@) or personal.",
    }),
    source: items.requiredText("URL of the page with this email address."),
    obfuscation: items.requiredText(
      "Obfuscation on the page: none, cloudflare, entity, at-text, reversed, rot, attribute.",
    ),
    onDomain: items.requiredBoolean("Whether the email address belongs to the site's own domain."),
  }),
  phones: items.objects("Phone numbers in the order of discovery.", {
    e164: items.text(
      "International format: +4930123456; null for a national number of an unknown country.",
    ),
    national: items.requiredText(
      "Number in national format; as written if its country is unknown.",
    ),
    raw: items.requiredText("Number as written on the page."),
    country: items.text("Country of the number (ISO 3166 alpha-2)."),
    type: oneOf(["phone", "fax", "mobile", "whatsapp", "unknown"], {
      description: "Kind of number.",
    }),
    source: items.requiredText("URL of the page with this number."),
  }),
  socials: items.listsByName("Profiles by network; x.com is listed as twitter."),
  addresses: items.objects("Postal addresses of the company.", {
    ...company.visibleAddress,
    source: items.requiredText("URL of the page with this postal address."),
  }),
  contactPages: items.texts(
    "URLs of pages for contact, imprint, team and the like, whether they were read or not.",
  ),
  contactForm: items.text("URL of the page with a contact form."),
  vatId: items.text("VAT number in the imprint."),
  registration: items.text("Entry in a company register."),
  pagesCrawled: items.requiredInteger("Number of pages that were read."),
  pagesFailed: items.requiredInteger("Number of pages that could not be read."),
})

export default defineScraper({
  slug: "contact-info-extractor",
  name: "Contact Details",
  tagline: "Emails, phones, social profiles and postal addresses from company websites.",
  notServed: ["people's private data", "sending an email"],
  category: "business",
  fetchMethods: ["http", "browser-http", "browser"],
  input: {
    websites: inputs.texts("Domains or website URLs, for example example.com.", { max: 1000 }),
    crawlContactPages: inputs.flag("Also read the contact, imprint, about and team pages.", true),
    maxPagesPerSite: inputs.count("Maximum pages per site, including the first", {
      max: 50,
      or: 5,
    }),
  },
  item: contacts,
  example: { websites: ["creativecommons.org"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].pagesCrawled gte 1",
      "items[0].pagesFailed lte 1",
      "?items[0].emails.length gte 1",
    ],
  },
  rateLimit: { "*": { perSecond: 2, concurrency: 2 } },
  targets: (input) => input.websites,
  identify: identifyPage,

  async *scrape(target, ctx) {
    const first = await company.openSite(target, ctx)
    const { crawlContactPages, maxPagesPerSite } = ctx.input
    const max = crawlContactPages ? maxPagesPerSite : 1
    const { pages, links, failed } = await company.visitSite(first, kinds, max, ctx)
    yield contacts.read({
      input: target,
      url: first.url,
      domain: ownerDomain(new URL(first.url).hostname),
      name: company.ownerOf(pages),
      emails: company.mergedEmails(pages).map(({ email, obfuscation, sources }) => ({
        email,
        type: company.isRoleAddress(email) ? ("role" as const) : ("personal" as const),
        source: sources[0]!,
        obfuscation,
        onDomain: company.isOnDomain(email, first.url),
      })),
      phones: company.mergedPhones(pages),
      socials: company.mergedSocials(pages),
      addresses: company.mergedAddresses(pages),
      contactPages: links.map((link) => link.url),
      contactForm: company.firstOfPages(pages, (page) => (page.contacts.hasForm ? page.url : null)),
      vatId: company.firstOfPages(pages, (page) => page.contacts.vatId),
      registration: company.firstOfPages(pages, (page) => page.contacts.registration),
      pagesCrawled: pages.length,
      pagesFailed: failed,
    })
  },
})
