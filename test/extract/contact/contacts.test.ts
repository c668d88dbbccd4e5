import { describe, expect, test } from "bun:test"
import { contactLinks } from "../../../src/extract/contact/contact-links.ts"
import { readContacts, titlePart } from "../../../src/extract/contact/contacts.ts"
import {
  decodeCloudflare,
  decodeShifted,
  spelledEmails,
} from "../../../src/extract/contact/email-decoding.ts"
import { localPart, nameParts, patternOf } from "../../../src/extract/contact/email-patterns.ts"
import { emailOf } from "../../../src/extract/contact/emails.ts"
import { legalNameIn, registrationIn, vatIdIn } from "../../../src/extract/contact/registrations.ts"
import { socialProfile } from "../../../src/extract/contact/socials.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const contacts = (html: string, url = "https://firma.de/") =>
  readContacts(parseDocument(html), url, html)
const emails = (html: string) =>
  contacts(html).emails.map(({ email, obfuscation }) => `${email} ${obfuscation}`)

describe("email addresses", () => {
  test.each([
    ["text", "<p>Write to Info@Firma.de.</p>", ["Info@firma.de none"]],
    [
      "mailto with several and a subject",
      '<a href="mailto:a@firma.de,%20b@firma.de?subject=x">x</a>',
      ["a@firma.de none", "b@firma.de none"],
    ],
    ["mailto without address", '<a href="mailto:?subject=x">x</a>', []],
    ["character references", "<p>&#105;nfo&#64;firma.de</p>", ["info@firma.de entity"]],
    [
      "Cloudflare link",
      '<a href="/cdn-cgi/l/email-protection#2a434c456a4c43584b474b044e4f">x</a>',
      ["ifo@firama.de cloudflare"],
    ],
    ["[at] and [dot]", "<p>info [at] firma [dot] de</p>", ["info@firma.de at-text"]],
    ["(ät)", "<p>info(ät)firma.de</p>", ["info@firma.de at-text"]],
    ["AT in capitals", "<p>info AT firma.de</p>", ["info@firma.de at-text"]],
    ["at in a sentence", "<p>Look at firma.de for more</p>", []],
    [
      "turned around by a style",
      '<span style="unicode-bidi:bidi-override; direction: rtl">ed.amrif@ofni</span>',
      ["info@firma.de reversed"],
    ],
    ["reversed in mailto", '<a href="mailto:ed.amrif@ofni">x</a>', ["info@firma.de reversed"]],
    [
      "attributes",
      '<span data-user="info" data-domain="firma.de"></span>',
      ["info@firma.de attribute"],
    ],
    [
      "hidden part",
      '<p>info<span style="display:none">nospam</span>@firma.de</p>',
      ["info@firma.de entity"],
    ],
    [
      "TYPO3 token",
      '<a data-mailto-token="ocknvq,kphqBhktoc0fg" data-mailto-vector="2">x</a>',
      ["info@firma.de rot"],
    ],
    [
      "JSON-LD",
      '<script type="application/ld+json">{"@type":"Person","name":"Ann","email":"mailto:ann@firma.de"}</script>',
      ["ann@firma.de none"],
    ],
    [
      "other scripts",
      '<script>var dsn="https://0123456789abcdef0123456789abcdef@sentry.io/1"; a="x@firma.de"</script>',
      [],
    ],
    ["a soft hyphen", "<p>presse@&shy;firma&shy;bau.de</p>", ["presse@firmabau.de entity"]],
    [
      "glued to the phone number before it",
      "<p>(859) 735-3750<b>cleaning@firma.de</b></p><p>01.42.68.53.00<b>bureau@firma.de</b></p>",
      ["cleaning@firma.de none", "bureau@firma.de none"],
    ],
    ["digits of its own", "<p>Call 24 7: 7news@firma.de</p>", ["7news@firma.de none"]],
    ["twice", '<p>info@firma.de</p><a href="mailto:INFO@firma.de">x</a>', ["info@firma.de none"]],
  ])("%s", (_, html, found) => expect(emails(html)).toEqual(found))

  test.each([
    ["logo@2x.png", null],
    ["name@example.com", null],
    ["info@wixpress.com", null],
    ["0123456789abcdef0123456789abcdef@o1.ingest.sentry.io", null],
    ["info@no-such-ending", null],
    ["info@firma.example", null],
    ["<first+tag@Firma.DE>.", "first+tag@firma.de"],
    ["a..b@firma.de", null],
  ])("%s", (text, email) => expect(emailOf(text)).toBe(email))

  test("decoders", () => {
    expect(decodeCloudflare("2a43444c456a4c43584b474b044e4f")).toBe("info@firama.de")
    expect(decodeCloudflare("xyz")).toBeNull()
    expect(decodeShifted("nbjmup+jogpAgjsnb/ef")).toBe("mailto:info@firma.de")
    expect(spelledEmails("a (at) b (punkt) de")[0]!.email).toBe("a@b.de")
  })
})

test("the written phone number: the link's text if it is one", () => {
  const raw = (html: string) => contacts(html).phones.map((phone) => phone.raw)
  expect(raw('<a href="tel:+496182786599">06182 786599</a>')).toEqual(["06182 786599"])
  expect(raw('<a href="tel:+496182786599">Call us</a>')).toEqual(["+496182786599"])
})

describe("phone numbers", () => {
  const phones = (html: string, url?: string) =>
    contacts(html, url).phones.map(({ e164, type }) => `${e164} ${type}`)
  test.each([
    [
      "one number in three spellings",
      '<a href="tel:+496182786599">06182 786599</a><p>Tel. +49 6182 7865-99, 06182/786599</p>',
      ["+496182786599 phone"],
    ],
    ["a zero in brackets", '<a href="tel:+49(0)8105778030">x</a>', ["+498105778030 phone"]],
    ["two zeros for the plus", '<a href="tel:0049%208105%20778030">x</a>', ["+498105778030 phone"]],
    [
      "fax by the word before it",
      "<p>Fon: 08105 778030 Fax: 08105 778031</p>",
      ["+498105778030 phone", "+498105778031 fax"],
    ],
    ["WhatsApp", '<a href="https://wa.me/491701234567">x</a>', ["+491701234567 whatsapp"]],
    [
      "IBAN and VAT are none",
      "<p>IBAN DE02 1203 0000 0000 2020 51, USt-IdNr. DE 123456789</p>",
      [],
    ],
    ["dates and prices are none", "<p>12.03.2026, 1.299,00 €, 2019-2024</p>", []],
    [
      "dates in brackets, their ranges and amounts after a word for phone are none",
      "<p>Telefon (18.11.2021)</p><p>Telefon 02.02. - 23.02.23</p><p>Telefone: 300.000</p>",
      [],
    ],
    ["scripts are none", "<script>var t = '+498105778030'</script>", []],
  ])("%s", (_, html, found) => expect(phones(html)).toEqual(found))

  test.each([
    [
      "five pairs of digits with dots",
      "https://firme.fr/",
      "<p>Tél. : 01.42.68.53.00 – Fax : 01.42.68.53.01</p>",
      ["+33142685300 phone", "+33142685301 fax"],
    ],
    [
      "toll-free, after a word that also names a number",
      "https://www.firm.us/",
      "<p>To order call 1-800-356-9377</p><p>Toll free 1-800-275-2273</p>",
      ["+18003569377 phone", "+18002752273 phone"],
    ],
    [
      "letters as labels",
      "https://firma.at/",
      "<p>T 01 5127610 F 01 5127611 M 0664 1234567</p>",
      ["+4315127610 phone", "+4315127611 fax", "+436641234567 mobile"],
    ],
  ])("%s", (_, url, html, found) => expect(phones(html, url)).toEqual(found))

  test.each([
    ["a link without a country", '<a href="tel:08105778030">08105 778030</a>', ["08105 778030"]],
    [
      "data without a country",
      '<script type="application/ld+json">{"@type":"Organization","telephone":"020 7946 0018"}</script>',
      ["020 7946 0018"],
    ],
    [
      "one that the page also has with its prefix",
      '<a href="tel:08105778030">08105 778030</a><a href="tel:+498105778030">+49 8105 778030</a>',
      [],
    ],
    ["a name in the link", '<a href="tel:lost-and-found">Call</a>', []],
  ])("a national number is kept as written: %s", (_, html, raw) => {
    const { phones } = contacts(html, "https://firma.org/")
    const national = phones.filter(({ e164 }) => e164 === null)
    expect(national.map((phone) => phone.raw)).toEqual(raw)
    expect(national.every(({ country }) => country === null)).toBe(true)
  })

  test("an American number without plus, if nothing names a country", () => {
    expect(phones('<a href="tel:1-415-429-6753">x</a>', "https://firma.org/")).toEqual([
      "+14154296753 phone",
    ])
  })
})

test.each([
  ["https://www.facebook.com/firma?ref=x", "facebook", "https://www.facebook.com/firma"],
  [
    "https://www.facebook.com/profile.php?id=12&x=1",
    "facebook",
    "https://www.facebook.com/profile.php?id=12",
  ],
  ["https://www.facebook.com/sharer/sharer.php?u=x", null, null],
  ["https://www.facebook.com/", null, null],
  ["https://twitter.com/firma", "twitter", "https://twitter.com/firma"],
  ["https://x.com/intent/tweet?text=x", null, null],
  ["https://twitter.com/home?status=x", null, null],
  [
    "https://www.linkedin.com/company/firma/",
    "linkedin",
    "https://www.linkedin.com/company/firma/",
  ],
  ["https://www.linkedin.com/shareArticle?url=x", null, null],
  ["https://www.youtube.com/watch?v=1", null, null],
  ["https://www.youtube.com/@firma", "youtube", "https://www.youtube.com/@firma"],
  ["https://www.instagram.com/p/abc/", null, null],
  [
    "https://api.whatsapp.com/send?phone=4917012&text=Hi",
    "whatsapp",
    "https://api.whatsapp.com/send?phone=4917012",
  ],
  ["https://bsky.app/profile/firma.de", "bluesky", "https://bsky.app/profile/firma.de"],
  ["https://vimeo.com/123456", null, null],
  ["https://firma.de/", null, null],
])("profile of %s", (address, network, url) => {
  expect(socialProfile(address)).toEqual(network === null ? null : { network, url: url! })
})

test.each([
  ["12 bis rue de la Paix<br>75002 Paris", "12 bis rue de la Paix", "75002", "Paris", null],
  ["Via Roma, 12 - 20121 Milano (MI)", "Via Roma, 12", "20121", "Milano", "MI"],
  ["Damrak 1<br>1012 LG Amsterdam", "Damrak 1", "1012 LG", "Amsterdam", null],
  ["ul. Nowa 1<br>00-624 Warszawa<br>Polska", "ul. Nowa 1", "00-624", "Warszawa", null],
  ["Storgatan 1<br>111 51 Stockholm", "Storgatan 1", "111 51", "Stockholm", null],
  ["Suite 5, 1000 Second Ave<br>Seattle WA 98104", null, null, null, null],
])("postal address in %s", (html, street, postalCode, city, region) => {
  const { addresses } = contacts(`<address>${html}</address>`, "https://firma.org/")
  expect(addresses).toEqual([expect.objectContaining({ street, postalCode, city, region })])
})

describe("imprints", () => {
  test.each([
    ["USt-IdNr.: DE 123 456 789", "DE123456789"],
    ["UID: ATU12345678", "ATU12345678"],
    ["P.IVA 01234567890", "01234567890"],
    ["Partita IVA e C.F. 01234567890", "01234567890"],
    ["TVA intracom. : FR 40 303 265 045", "FR40303265045"],
    ["BTW BE 0123.456.789", "BE0123456789"],
    ["BTW-nummer: NL 1234.56.789.B01", "NL123456789B01"],
    ["NIP: 525-21-41-518", "525-21-41-518"],
    ["Org.nr 556123-4567", "556123-4567"],
    ["no number", null],
  ])("VAT in %s", (text, id) => expect(vatIdIn(text)).toBe(id))
  test.each([
    ["Amtsgericht Bremen HRB 1234", "HRB 1234"],
    ["HRB 98765\nIBAN", "HRB 98765"],
    ["Company No. 01234567", "Company No. 01234567"],
    ["nothing", null],
  ])("register in %s", (text, entry) => expect(registrationIn(text)).toBe(entry))
  test.each([
    ["© 2026 Nordkai Werkzeuge GmbH", "Nordkai Werkzeuge GmbH"],
    ["Kettleworks Ltd, London", "Kettleworks Ltd"],
    ["We are a company", null],
  ])("legal name in %s", (line, name) => expect(legalNameIn(line)).toBe(name))
})

test("pages to visit, likeliest first", () => {
  const html =
    '<a href="/datenschutz">Datenschutz</a><a href="/kontakt/">Kontakt</a><a href="/kontakt">x</a><a href="/blog/contact-lenses-are-back-again-and-again-and-again">Contact lenses are back in fashion this summer</a><a href="https://other.de/kontakt">x</a>'
  const links = contactLinks(parseDocument(html), "https://firma.de/", [
    "contact",
    "imprint",
    "privacy",
  ])
  expect(links.map((link) => link.url)).toEqual([
    "https://firma.de/kontakt/",
    "https://firma.de/datenschutz",
  ])
})

test.each(["Über uns", "À propos", "О нас | Контакты", "Équipe"])("a page called %s", (name) => {
  const page = parseDocument(`<a href="/x">${name}</a><a href="/y">myteam, recontact</a>`)
  const links = contactLinks(page, "https://firma.de/", ["contact", "about", "team"])
  expect(links.map((link) => link.url)).toEqual(["https://firma.de/x"])
})

test.each([
  ["Start | Nordkai", "https://nordkai.de/", "Nordkai"],
  ["Nordkai - Werkzeuge vom Kai", "https://nordkai-tools.de/", "Nordkai"],
  ["Home", "https://nordkai.de/", null],
])("name in the title %j", (title, url, name) => expect(titlePart(title, url)).toBe(name))

describe("email addresses of named people", () => {
  test.each([
    ["Änne von Öhlen", "{first}.{last}", "aenne.vonoehlen"],
    ["Dr. Łukasz Nowak", "{f}{last}", "lnowak"],
    ["Ann", "{first}", "ann"],
    ["Ann", "{first}.{last}", null],
    ["Jean-Luc Roux", "{first}_{last}", "jean-luc_roux"],
  ])("%s by %s", (name, pattern, local) =>
    expect(localPart(pattern, nameParts(name)[0]!)).toBe(local),
  )
  test("the pattern of a known email address", () => {
    expect(patternOf("jroux@firma.de", "Jean-Luc Roux")).toBe("{f}{last}")
    expect(patternOf("jeanluc.roux@firma.de", "Jean-Luc Roux")).toBe("{first}.{last}")
    expect(patternOf("info@firma.de", "Jean-Luc Roux")).toBeNull()
  })
})
