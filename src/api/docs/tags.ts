/** Tags in the order of the reference. */
export const tags = [
  { name: "Scrape", description: "Any page or scraper by GET, without a key." },
  { name: "Tools", description: "Fixed tools with one parameter each, without a key." },
  {
    name: "Agents",
    description: "For agents: every scraper by one POST route, and the claim of an API key.",
  },
  { name: "Scrapers", description: "The catalogue: inputs, items and cost of each scraper." },
  { name: "Recipes", description: "Named extractions, which become scrapers of the account." },
  { name: "Sessions", description: "Log-ins of sites that runs use to fetch pages." },
  { name: "Runs", description: "Durable runs." },
  { name: "Datasets", description: "Items of runs." },
  { name: "Files", description: "Screenshots and PDFs of runs." },
  { name: "Batches", description: "Many runs in one call." },
  { name: "Schedules", description: "Scheduled runs." },
  {
    name: "Webhooks",
    description: "Signed requests to your URL when runs finish (Standard Webhooks).",
  },
  {
    name: "Destinations",
    description: "Where items are delivered to: databases, storages, webhooks, folders.",
  },
  { name: "Notifications", description: "Messages by email, chat, ntfy and browser push." },
  { name: "Account", description: "Account, API keys and credits." },
  {
    name: "Administration",
    description:
      "For administrators: accounts, keys, invitations, settings. API keys need the scope `admin`.",
  },
  { name: "Service", description: "Health, version and documentation." },
] as const

export type Tag = (typeof tags)[number]["name"]
