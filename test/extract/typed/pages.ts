const page = (title: string, body: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>
  <header><a href="/">Fenwick</a><nav><a href="/shop">Shop</a> <a href="/about">About</a></nav></header>
  <main>${body}</main><footer><p>Phone: 0800 000 000</p></footer></body></html>`

/** Pages with their data in words only: no JSON-LD, no microdata. */
export const plainPages = {
  recipe: page(
    "Leek soup - Fenwick",
    `<h1>Leek soup</h1><p>A soup for cold evenings, made from what a winter garden still gives.</p>
    <img src="/leek.jpg" alt="Leek soup">
    <ul class="facts"><li><b>Serves:</b> 4</li><li><b>Prep time:</b> 15 min</li>
    <li><b>Cooking time:</b> 1 h 10 min</li></ul>
    <h2>Ingredients</h2><ul><li>3 leeks</li><li>1 l stock</li><li>2 potatoes</li></ul>
    <h2>Method</h2><ol><li>Wash the leeks.</li><li>Boil all for an hour.</li></ol>
    <h2>Notes</h2><p>Keeps three days.</p>`,
  ),
  event: page(
    "Lantern walk",
    `<h1>Lantern walk</h1><dl><dt>Date</dt><dd><time datetime="2026-11-28T17:30:00+01:00">28 November, 17:30</time></dd>
    <dt>Venue</dt><dd>Old Mill</dd><dt>Address</dt><dd>4 Mill Lane, Fenwick</dd>
    <dt>Organiser</dt><dd>Fenwick Society</dd><dt>Price</dt><dd>£ 4.50</dd>
    <dt>Tickets</dt><dd><a href="/tickets/9">Book</a></dd></dl>`,
  ),
  job: page(
    "Boat builder (m/f/d)",
    `<h1>Boat builder</h1><table><tr><th>Company</th><td>Fenwick Yard</td></tr>
    <tr><th>Location</th><td>Fenwick</td></tr><tr><th>Employment type</th><td>Full-time</td></tr>
    <tr><th>Salary</th><td>€ 41,000 a year</td></tr><tr><th>Apply by</th><td>31.12.2026</td></tr>
    <tr><th>Remote</th><td>No</td></tr></table>
    <h2>Responsibilities</h2><ul><li>Build hulls.</li><li>Mend decks.</li></ul>`,
  ),
  organisation: page(
    "About Fenwick Yard",
    `<h1>Fenwick Yard</h1><div class="company"><div class="row"><span class="label">Founded</span><span>1898</span></div>
    <div class="row"><span class="label">Employees</span><span>1,250</span></div>
    <div class="row"><span class="label">Industry</span><span>Boats</span></div>
    <div class="row"><span class="label">Email</span><span><a href="mailto:yard@fenwick.test">yard@fenwick.test</a></span></div></div>
    <p>Phone: +44 1632 960 123 | VAT number: GB 123 4567 89</p>
    <h2>Address</h2><p>1 Quay Street</p><p>Fenwick FE1 2QS</p>`,
  ),
  person: page(
    "Ida Marsh",
    `<h1>Ida Marsh</h1><p class="job-title">Head of sails</p><p><strong>Born:</strong> 3 May 1980</p>
    <p><strong>Nationality</strong> Danish</p><p><strong>Works for:</strong> Fenwick Yard</p>
    <p>Languages: Danish, English, Dutch</p>`,
  ),
  cards: page(
    "Shop",
    `<h1>Lamps</h1><div class="grid">${[
      ["Storm lamp", "39.90", "/p/1"],
      ["Desk lamp", "24.50", "/p/2"],
      ["Night lamp", "9.00", "/p/3"],
    ]
      .map(
        ([name, price, href]) =>
          `<div class="card"><img src="${href}.jpg"><h3><a href="${href}">${name}</a></h3><p class="card-price">£${price}</p></div>`,
      )
      .join("")}</div><div class="links"><p>One</p><p>Two</p><p>Three</p><p>Four</p></div>`,
  ),
  menu: page(
    "Shop",
    `<h1>Shop</h1><div class="grid">${["Lamps", "Ropes", "Hooks"]
      .map((name) => `<div class="card"><h3><a href="/${name}">${name}</a></h3></div>`)
      .join("")}</div><form><h3>Phone</h3><p>Enter a phone number</p>
    <label for="city">City:</label> <input id="city"> <label>Email</label> <span>*</span></form>`,
  ),
  rows: page(
    "Departures",
    `<h1>Departures</h1><table><tr><th>Line</th><th>Destination</th><th>Departs</th><th>Platform</th></tr>
    <tr><td>S1</td><td>Harbour</td><td>09:10</td><td>3</td></tr>
    <tr><td>S2</td><td>Mill</td><td>09:25</td><td>11</td></tr></table>`,
  ),
}

const jsonLd = (data: object) =>
  `<script type="application/ld+json">${JSON.stringify(data)}</script>`

/** The same kinds of things as structured data. */
export const reportedPages = {
  recipe: page(
    "Leek soup",
    "<h1>Leek soup</h1>",
    jsonLd({
      "@context": "https://schema.org",
      "@graph": [
        { "@type": "Organization", name: "Fenwick", url: "https://site.test/", telephone: "0800" },
        { "@type": "WebPage", name: "Leek soup - Fenwick", url: "https://site.test/soup" },
        {
          "@type": "Recipe",
          name: "Leek soup",
          author: { "@id": "#ida" },
          prepTime: "PT15M",
          totalTime: "PT1H25M",
          recipeYield: ["4", "4 bowls"],
          recipeIngredient: ["3 leeks", "1 l stock"],
          recipeInstructions: [
            {
              "@type": "HowToSection",
              name: "Soup",
              itemListElement: [
                { "@type": "HowToStep", name: "Wash", text: "Wash the leeks." },
                { "@type": "HowToStep", text: "Boil all." },
              ],
            },
          ],
          nutrition: { "@type": "NutritionInformation", calories: "220 kcal" },
          aggregateRating: { "@type": "AggregateRating", ratingValue: "4.5", ratingCount: 12 },
        },
        { "@type": "Person", "@id": "#ida", name: "Ida Marsh" },
      ],
    }),
  ),
  job: page(
    "Boat builder",
    "<h1>Boat builder</h1>",
    jsonLd({
      "@context": "https://schema.org",
      "@type": "JobPosting",
      title: "Boat builder",
      datePosted: "2026-11-02",
      validThrough: "2026-12-31T23:59",
      employmentType: "FULL_TIME",
      hiringOrganization: {
        "@type": "Organization",
        name: "Fenwick Yard",
        sameAs: "https://yard.test/",
      },
      jobLocation: {
        "@type": "Place",
        address: { "@type": "PostalAddress", addressLocality: "Fenwick", addressCountry: "GB" },
      },
      jobLocationType: "TELECOMMUTE",
      baseSalary: {
        "@type": "MonetaryAmount",
        currency: "EUR",
        value: { "@type": "QuantitativeValue", minValue: 38000, maxValue: 44000, unitText: "YEAR" },
      },
    }),
  ),
  event: page(
    "Lantern walk",
    `<div itemscope itemtype="https://schema.org/MusicEvent"><h1 itemprop="name">Lantern walk</h1>
    <meta itemprop="startDate" content="2026-11-28T17:30:00+01:00"><div itemprop="location" itemscope itemtype="https://schema.org/Place">
    <span itemprop="name">Old Mill</span><div itemprop="address" itemscope itemtype="https://schema.org/PostalAddress"><span itemprop="addressLocality">Fenwick</span></div></div>
    <div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price" content="4.50">£4.50</b><meta itemprop="priceCurrency" content="GBP"></div></div>`,
  ),
  state: page(
    "Storm lamp",
    `<h1>Storm lamp</h1><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({
      props: {
        pageProps: {
          lamp: { title: "Storm lamp", lumens: 450, battery_hours: 12, waterproof: true },
          related: [
            { title: "Desk lamp", lumens: 300 },
            { title: "Night lamp", lumens: 20 },
          ],
        },
      },
    })}</script>`,
  ),
}
