/** Groups of settings by the beginnings of their names. The first matching group counts. */
const groups: readonly (readonly [name: string, form: RegExp])[] = [
  ["Server", /^TRAWL_(?:HOST$|PORT|BASE_URL|TRUST_PROXY|DATA|WORKERS|REPLAY)/],
  ["Accounts and limits", /^TRAWL_(?:SIGNUP|FREE|KEYLESS|TOOLS|RATE|RUNS_PER)/],
  [
    "Fetching",
    /^TRAWL_(?:EGRESS|PROXY|HOST_RATE|PACE|KEEP_COOK|REUSE|UNLOCK|PAGE|UPSTREAM|CONTACT)/,
  ],
  ["Browser", /^TRAWL_(?:CHROME|BROWSER)/],
  [
    "Storage and backups",
    /^TRAWL_(?:BACKUP|S3|FILE|RUN_FILES|ACCOUNT_FILES|RETENTION|LOG_RETENTION)/,
  ],
  ["Email", /^TRAWL_SMTP/],
  ["Language model", /^TRAWL_LLM/],
  ["Monitoring", /^TRAWL_(?:METRICS|OTLP|LOG|CHECKS|HEALTH)/],
  ["Other services", /^(?!TRAWL_)/],
]
const others = "Other"

/** Returns the settings by group, in the order of the groups. */
export function grouped<Setting extends { name: string }>(
  settings: readonly Setting[],
): [group: string, settings: Setting[]][] {
  const byGroup = Map.groupBy(
    settings,
    ({ name }) => groups.find(([, form]) => form.test(name))?.[0] ?? others,
  )
  return [...groups.map(([name]) => name), others].flatMap((name) => {
    const own = byGroup.get(name)
    return own ? [[name, own] as [string, Setting[]]] : []
  })
}
