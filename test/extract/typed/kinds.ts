/** Pages about a job, an event, an organisation or a person without JSON-LD, each in a different form. */
export interface KindPage {
  kind: "job" | "event" | "organisation" | "person"
  how: string
  html: string
  reported: Record<string, unknown>
}

const page = (title: string, main: string, footer = "") =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body>
  <header><a class="logo" href="/">Tarn &amp; Sons</a><nav><a href="/">Home</a> <a href="/jobs">Jobs</a> <a href="/news">News</a></nav></header>
  <main>${main}</main><footer>${footer || "<p>© 2026 Tarn &amp; Sons. All rights reserved.</p>"}</footer></body></html>`

export const kindPages: KindPage[] = [
  {
    kind: "job",
    how: "a definition list",
    html: page(
      "Rope maker | Tarn & Sons",
      `<h1>Rope maker</h1><dl class="facts"><div><dt>Employer</dt><dd>Tarn &amp; Sons</dd></div><div><dt>Job location</dt><dd>Whitby</dd></div>
      <div><dt>Contract type</dt><dd>Permanent, full-time</dd></div><div><dt>Salary</dt><dd>£29,500 - £33,000 per year</dd></div>
      <div><dt>Date posted</dt><dd>3 November 2026</dd></div><div><dt>Closing date</dt><dd>30 November 2026</dd></div></dl>
      <p>You make ropes for ships and bells.</p>`,
    ),
    reported: {
      title: "Rope maker",
      company: "Tarn & Sons",
      location: "Whitby",
      employmentType: "Permanent, full-time",
      salary: "£29,500 - £33,000 per year",
      datePosted: "2026-11-03",
      validThrough: "2026-11-30",
    },
  },
  {
    kind: "job",
    how: "icons of a font",
    html: page(
      "Baker (m/w/d) - Jobs",
      `<article><h1>Baker (m/w/d)</h1><ul class="job-info"><li><i class="fa fa-building" aria-hidden="true"></i> Brothaus Kern</li>
      <li><i class="fas fa-map-marker-alt"></i> Lübeck</li><li><i class="fa fa-clock-o"></i> Vollzeit</li>
      <li><i class="fa fa-money"></i> 3.100 € pro Monat</li><li><i class="fa fa-calendar"></i> 12.10.2026</li></ul>
      <p>Wir backen seit 1911 jeden Tag frisch und suchen Verstärkung.</p></article>`,
    ),
    reported: {
      title: "Baker (m/w/d)",
      company: "Brothaus Kern",
      location: "Lübeck",
      employmentType: "Vollzeit",
      salary: "3.100 € pro Monat",
      datePosted: "2026-10-12",
    },
  },
  {
    kind: "job",
    how: "signs in a plain text",
    html: page(
      "Night porter",
      `<h1>Night porter</h1><p>🏢 Hotel Meridian<br>📍 Ghent, Belgium<br>💰 € 2,450 per month<br>🕒 Part-time</p>
      <p>Posted on 5 October 2026</p><p>You greet late guests, answer the phone and keep the keys.</p>`,
    ),
    reported: {
      title: "Night porter",
      company: "Hotel Meridian",
      location: "Ghent, Belgium",
      employmentType: "Part-time",
      salary: "€ 2,450 per month",
      datePosted: "2026-10-05",
    },
  },
  {
    kind: "job",
    how: "marks without labels",
    html: page(
      "Data engineer at Kelp",
      `<div class="posting-header"><h2 class="company-name">Kelp Labs</h2><h1 class="job-title">Data engineer</h1>
      <div class="chips"><span class="chip job-location">Porto, Portugal</span> <span class="chip">Full-time</span> <span class="chip">€55,000 – €65,000 a year</span></div>
      <p class="meta">Posted 20 October 2026 · Apply by 20 November 2026</p></div><p>You keep the data of the sea in order.</p>`,
    ),
    reported: {
      title: "Data engineer",
      company: "Kelp Labs",
      location: "Porto, Portugal",
      employmentType: "Full-time",
      salary: "€55,000 – €65,000 a year",
      datePosted: "2026-10-20",
      validThrough: "2026-11-20",
    },
  },
  {
    kind: "event",
    how: "h-event",
    html: page(
      "Autumn fair",
      `<article class="h-event"><h1 class="p-name">Autumn fair</h1><p><time class="dt-start" datetime="2026-10-03T10:00">Saturday at 10</time> to
      <time class="dt-end" datetime="2026-10-03T18:00">6 pm</time>, <span class="p-location h-card"><span class="p-name">Castle green</span>, <span class="p-locality">Skipton</span></span></p>
      <p class="p-summary">Cider, sheep and songs.</p><p>By <a class="p-organizer h-card" href="/guild">Dales Guild</a></p></article>`,
    ),
    reported: {
      name: "Autumn fair",
      startDate: "2026-10-03",
      endDate: "2026-10-03",
      location: "Castle green",
      organizer: "Dales Guild",
      city: "Skipton",
    },
  },
  {
    kind: "event",
    how: "hCalendar",
    html: page(
      "What's on",
      `<div class="vevent"><h1 class="summary">Organ recital</h1><p><abbr class="dtstart" title="2026-12-06T19:30:00+00:00">Sunday evening</abbr>,
      <span class="location vcard"><span class="fn org">St Oda's Church</span> <span class="adr"><span class="street-address">2 Minster Yard</span> <span class="locality">Ripon</span></span></span></p></div>`,
    ),
    reported: {
      name: "Organ recital",
      startDate: "2026-12-06",
      location: "St Oda's Church",
      city: "Ripon",
    },
  },
  {
    kind: "event",
    how: "signs in a plain text",
    html: page(
      "Harbour swim",
      `<h1>Harbour swim</h1><p>📅 Saturday, 8 August 2026</p><p>🕘 09:00</p><p>📍 North Pier, Oban</p><p>🎟️ £12.50</p>
      <p>Hosted by Oban Otters</p><p>Published 2 May 2026. Wetsuits are welcome.</p>`,
    ),
    reported: {
      name: "Harbour swim",
      startDate: "2026-08-08",
      location: "North Pier, Oban",
      organizer: "Oban Otters",
      price: "£12.50",
    },
  },
  {
    kind: "event",
    how: "headings",
    html: page(
      "Seed swap - Allotment society",
      `<h1>Seed swap</h1><h3>When</h3><p>Saturday 14 February 2026, 14:00 - 16:00</p><h3>Where</h3><p>Parish hall, Church Lane</p>
      <h3>Cost</h3><p>£2, members free</p><h3>Organised by</h3><p>Allotment society</p>`,
    ),
    reported: {
      name: "Seed swap",
      startDate: "2026-02-14",
      location: "Parish hall, Church Lane",
      price: "£2, members free",
      organizer: "Allotment society",
    },
  },
  {
    kind: "event",
    how: "a line without labels",
    html: page(
      "Choir night | The Granary",
      `<p class="crumbs">Events</p><h1>Choir night</h1><p class="subtitle">Friday 27 November 2026, 19:30</p><p class="venue">The Granary, Wells</p>
      <p>Bring a voice. Last changed on the door.</p>`,
    ),
    reported: { name: "Choir night", startDate: "2026-11-27", location: "The Granary, Wells" },
  },
  {
    kind: "organisation",
    how: "hCard",
    html: page(
      "About us",
      `<h1>About us</h1><p>We bind books.</p><div class="vcard"><span class="fn org">Quire Bindery</span><div class="adr"><div class="street-address">8 Paper Street</div>
      <span class="locality">Bath</span> <span class="postal-code">BA1 4QT</span></div><span class="tel">01632 960 456</span> <a class="email" href="mailto:desk@quire.example">Write to us</a></div>`,
    ),
    reported: {
      name: "Quire Bindery",
      telephone: "01632 960 456",
      email: "desk@quire.example",
      streetAddress: "8 Paper Street",
      postalCode: "BA1 4QT",
      city: "Bath",
    },
  },
  {
    kind: "organisation",
    how: "a German imprint",
    html: page(
      "Impressum - Werft Olsen",
      `<h1>Impressum</h1><p>Werft Olsen GmbH<br>Hafenstraße 12<br>24937 Flensburg</p><p>Telefon: 0461 555 010<br>E-Mail: info@werft-olsen.example</p>
      <p>USt-IdNr.: DE123456789</p>`,
      "<p>© 2026 Werft Olsen</p>",
    ),
    reported: {
      name: "Werft Olsen GmbH",
      telephone: "0461 555 010",
      email: "info@werft-olsen.example",
      streetAddress: "Hafenstraße 12",
      postalCode: "24937",
      city: "Flensburg",
    },
  },
  {
    kind: "organisation",
    how: "an address and links",
    html: page(
      "Contact - Tarn & Sons",
      `<h1>Get in touch</h1><address>Tarn &amp; Sons<br>5 Slipway Road<br>Whitby<br>YO21 3PU</address>
      <p><a href="tel:+441632960222">+44 1632 960222</a></p><p><a href="mailto:hello@tarn.example">hello@tarn.example</a></p>`,
    ),
    reported: {
      name: "Tarn & Sons",
      telephone: "+44 1632 960222",
      email: "hello@tarn.example",
      streetAddress: "5 Slipway Road",
      postalCode: "YO21 3PU",
      city: "Whitby",
    },
  },
  {
    kind: "organisation",
    how: "a French footer whose lines are separated by breaks",
    html: page(
      "Contact",
      `<h1>Contact</h1><p>Écrivez-nous ou appelez-nous.</p>`,
      `<div class="site-info">Atelier Brume<br>12 bis rue des Lilas<br>75011 Paris<br>Tél : 01 99 00 12 34</div><p>© 2026 Atelier Brume</p>`,
    ),
    reported: {
      name: "Atelier Brume",
      telephone: "01 99 00 12 34",
      streetAddress: "12 bis rue des Lilas",
      postalCode: "75011",
      city: "Paris",
    },
  },
  {
    kind: "organisation",
    how: "elements in a row without a space between them",
    html: page(
      "Contact",
      "<h1>Contact</h1><p>Write to us.</p>",
      "<p>© 2026 Tarn &amp; Sons</p><div><span>Where we are</span><span>Winterstraße 2</span><span>22765 Hamburg</span></div>",
    ),
    reported: {
      name: "Tarn & Sons",
      streetAddress: "Winterstraße 2",
      postalCode: "22765",
      city: "Hamburg",
    },
  },
  {
    kind: "organisation",
    how: "a table of facts in a directory",
    html: page(
      "Larch Instruments | Companies | Ledger",
      `<h1>Larch Instruments</h1><table class="infobox"><tr><th>Founded</th><td>4 March 1962</td></tr><tr><th>Headquarters</th><td>Jena, Germany</td></tr>
      <tr><th>Telephone</th><td>+49 3641 555 0</td></tr><tr><th>Number of employees</th><td>430 (2025)</td></tr></table>`,
    ),
    reported: { name: "Larch Instruments", telephone: "+49 3641 555 0", founded: 1962 },
  },
  {
    kind: "person",
    how: "h-card",
    html: page(
      "Mira Holt",
      `<div class="h-card"><img class="u-photo" src="/mira.jpg" alt=""><h1 class="p-name">Mira Holt</h1><p><span class="p-job-title">Cartographer</span> at <span class="p-org">Atlas Room</span></p>
      <a class="u-email" href="mailto:mira@atlas.example">Mail</a> <time class="dt-bday" datetime="1984-05-02">2 May</time></div>`,
    ),
    reported: {
      name: "Mira Holt",
      jobTitle: "Cartographer",
      company: "Atlas Room",
      email: "mira@atlas.example",
      birthDate: "1984-05-02",
    },
  },
  {
    kind: "person",
    how: "an infobox",
    html: page(
      "Edda Voss - Archive",
      `<h1>Edda Voss</h1><table><caption>Edda Voss</caption><tr><th scope="row">Born</th><td>17 June 1921, Bergen</td></tr><tr><th scope="row">Occupation</th><td>Engineer</td></tr>
      <tr><th scope="row">Nationality</th><td>Norwegian</td></tr></table><p>Edda Voss built bridges.</p>`,
    ),
    reported: {
      name: "Edda Voss",
      birthDate: "1921-06-17",
      jobTitle: "Engineer",
      nationality: "Norwegian",
    },
  },
  {
    kind: "person",
    how: "icons of a font",
    html: page(
      "Jon Amari | Staff",
      `<section class="profile"><h1>Jon Amari</h1><p class="profile__role">Head gardener</p><ul><li><span class="icon icon-phone"></span> 020 7946 0018</li>
      <li><span class="icon icon-envelope"></span> <a href="mailto:jon@kew.example">jon@kew.example</a></li><li><svg class="bi bi-building"><path d="M0"/></svg> Garden trust</li></ul></section>`,
    ),
    reported: {
      name: "Jon Amari",
      jobTitle: "Head gardener",
      telephone: "020 7946 0018",
      email: "jon@kew.example",
      company: "Garden trust",
    },
  },
]
