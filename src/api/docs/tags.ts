/** In the order of the reference. */
export const tags = [
  { name: "Scrape", description: "Any page, any scraper, by GET and without a key." },
  { name: "Tools", description: "Fixed tools: one parameter each, without a key." },
  { name: "Agents", description: "For agents: one POST for every scraper, and the way to a key." },
  { name: "Scrapers", description: "The catalogue: what each scraper takes, gives and costs." },
  { name: "Recipes", description: "Extractions by name: scrapers of one account." },
  { name: "Runs", description: "Durable runs of an account." },
  { name: "Datasets", description: "The items of runs." },
  { name: "Files", description: "What runs made of pages: screenshots and PDFs." },
  { name: "Batches", description: "Many runs by one call." },
  { name: "Schedules", description: "Scheduled runs." },
  {
    name: "Webhooks",
    description: "Requests to your URL when runs finish, signed by Standard Webhooks.",
  },
  { name: "Notifications", description: "What happened, in words: by e-mail, chats, ntfy." },
  { name: "Account", description: "Accounts, keys and credits." },
  {
    name: "Administration",
    description: "For owners: accounts, keys, invitations. A key needs the scope `admin`.",
  },
  { name: "Service", description: "The service itself." },
] as const

export type Tag = (typeof tags)[number]["name"]
