import { type TProperties, type TSchema, Type } from "@sinclair/typebox"

/** A setting: its schema, with the name of its environment variable and a sentence on it. */
const setting = <S extends TSchema>(env: string, schema: S, description: string): S => ({
  ...schema,
  env,
  description,
})

const text = (env: string, fallback: string, description: string) =>
  setting(env, Type.String({ default: fallback }), description)
const optional = (env: string, description: string) =>
  setting(env, Type.Optional(Type.String()), description)
const list = (env: string, description: string) =>
  setting(env, Type.Array(Type.String(), { default: [] }), description)
const integer = (env: string, fallback: number, minimum: number, description: string) =>
  setting(env, Type.Integer({ default: fallback, minimum }), description)
const flag = (env: string, description: string, fallback = false) =>
  setting(env, Type.Boolean({ default: fallback }), description)
const choice = <const V extends readonly string[]>(env: string, values: V, description: string) =>
  setting(
    env,
    Type.Union(
      values.map((value) => Type.Literal(value)),
      { default: values[0] },
    ) as unknown as ReturnType<typeof Type.Unsafe<V[number]>>,
    description,
  )

/** Every setting of Trawl. Each has a default that works; lists are separated by commas. */
export const settings = {
  host: text("TRAWL_HOST", "127.0.0.1", "Address to listen on."),
  port: setting(
    "TRAWL_PORT",
    Type.Integer({ default: 8080, minimum: 0, maximum: 65_535 }),
    "Port to listen on; 0 takes a free one.",
  ),
  dataDir: text(
    "TRAWL_DATA_DIR",
    "./trawl-data",
    "Folder of the database and of Chrome; a systemd unit's state folder where it has one.",
  ),
  databaseUrl: optional(
    "TRAWL_DATABASE_URL",
    "PostgreSQL in place of the SQLite in the data folder, as postgres://trawl:secret@db:5432/trawl: processes that share it are one service.",
  ),
  databaseDirectUrl: optional(
    "TRAWL_DATABASE_DIRECT_URL",
    "The same PostgreSQL past a pooler as PgBouncer, for LISTEN; without it, what other processes do is seen up to a second later there.",
  ),
  baseUrl: optional(
    "TRAWL_BASE_URL",
    "Public root of the service, for links in answers; it may have a path.",
  ),
  trustProxy: list(
    "TRAWL_TRUST_PROXY",
    "CIDRs of the reverse proxies whose X-Forwarded-* headers count.",
  ),
  signup: choice(
    "TRAWL_SIGNUP",
    ["unowned", "open", "closed"],
    "Whether anyone may sign up: `unowned` until the service has an owner, `open` always, `closed` never. Invitations of an owner always let in.",
  ),
  signupCredits: integer(
    "TRAWL_SIGNUP_CREDITS",
    200,
    0,
    "Credits of a new account; a quarter for a further one from the same caller address in a day.",
  ),
  signupsDaily: integer(
    "TRAWL_SIGNUPS_DAILY",
    3,
    0,
    "Accounts a day that may sign up from one caller address; 0 means no limit.",
  ),
  freeDaily: integer("TRAWL_FREE_DAILY", 50, 0, "Keyless calls a day for each caller address."),
  keylessTimeoutSeconds: integer(
    "TRAWL_KEYLESS_TIMEOUT_SECONDS",
    60,
    1,
    "Longest keyless run, in seconds.",
  ),
  keylessPages: integer("TRAWL_KEYLESS_PAGES", 25, 1, "Most pages of a keyless run."),
  keylessItems: integer("TRAWL_KEYLESS_ITEMS", 100, 1, "Most items of a keyless run."),
  keylessWait: integer(
    "TRAWL_KEYLESS_WAIT",
    25,
    0,
    "Seconds that a keyless call waits before it answers RUNNING; less than a proxy in front waits.",
  ),
  scriptAccounts: list(
    "TRAWL_SCRIPT_ACCOUNTS",
    "IDs of the accounts whose runs may execute JavaScript on pages, separated by commas, for example acc_0198…; all opens it to every account.",
  ),
  keylessSecrets: list(
    "TRAWL_KEYLESS_SECRETS",
    "Keys and sessions that keyless runs may use too, by name, or `all`; the others serve accounts.",
  ),
  toolsLimitStatus: setting(
    "TRAWL_TOOLS_LIMIT_STATUS",
    Type.Integer({ default: 200, minimum: 200, maximum: 429 }),
    "HTTP status of the fixed tools when the allowance is spent: 200 or 429.",
  ),
  rateLimit: integer(
    "TRAWL_RATE_LIMIT",
    600,
    0,
    "Calls a minute for each key, or for each address without one; 0 means no limit.",
  ),
  workers: integer("TRAWL_WORKERS", 0, 0, "Threads that execute runs; 0 means one a core."),
  runsPerAccount: integer(
    "TRAWL_RUNS_PER_ACCOUNT",
    10,
    1,
    "Runs of one account that are executed at once; the others wait.",
  ),
  retentionDays: integer(
    "TRAWL_RETENTION_DAYS",
    30,
    0,
    "Days for which finished runs and their items are kept; 0 keeps them forever.",
  ),
  logRetentionDays: integer(
    "TRAWL_LOG_RETENTION_DAYS",
    7,
    0,
    "Days for which the log lines of runs are kept; 0 keeps them as long as the run.",
  ),
  checks: flag(
    "TRAWL_HEALTH_CHECKS",
    "Whether scrapers are tried against their sites unasked: open APIs daily, walled sites weekly.",
  ),
  s3Bucket: optional(
    "TRAWL_S3_BUCKET",
    "Bucket, or bucket/path, of a storage that speaks S3, for files of runs (screenshots, PDFs) in place of the data folder.",
  ),
  s3Endpoint: optional(
    "TRAWL_S3_ENDPOINT",
    "Address of the storage where it is not Amazon's; else AWS_ENDPOINT_URL.",
  ),
  s3Region: optional("TRAWL_S3_REGION", "Region of the storage; else AWS_REGION."),
  s3AccessKeyId: optional(
    "TRAWL_S3_ACCESS_KEY_ID",
    "Key of the storage, also for backups; else AWS_ACCESS_KEY_ID.",
  ),
  s3SecretAccessKey: optional(
    "TRAWL_S3_SECRET_ACCESS_KEY",
    "Secret of that key; else AWS_SECRET_ACCESS_KEY.",
  ),
  fileMegabytes: integer("TRAWL_FILE_MB", 20, 1, "Largest file that a run may keep, in MB."),
  runFileMegabytes: integer(
    "TRAWL_RUN_FILES_MB",
    500,
    0,
    "Most that the files of one run may have together, in MB; 0 means no limit.",
  ),
  accountFileMegabytes: integer(
    "TRAWL_ACCOUNT_FILES_MB",
    5000,
    0,
    "Most that the files of one account may have together, or of all callers without a key, in MB; 0 means no limit.",
  ),
  fileDays: integer(
    "TRAWL_FILE_DAYS",
    0,
    0,
    "Days for which files are kept; 0 keeps them as long as their run. Those of callers without a key are kept for one at most.",
  ),
  backupTo: optional(
    "TRAWL_BACKUP_TO",
    "Where backups are put by themselves: a folder, or s3://bucket/path with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL where it is not Amazon's.",
  ),
  backupHours: integer("TRAWL_BACKUP_HOURS", 24, 1, "Hours between two such backups."),
  backupKeep: integer(
    "TRAWL_BACKUP_KEEP",
    7,
    0,
    "Such backups that are kept, the newest ones; 0 keeps them all.",
  ),
  reuseCookies: flag(
    "TRAWL_REUSE_COOKIES",
    "Whether passes of walls, consents and numbers of guests serve later runs too.",
    true,
  ),
  egressAllow: list(
    "TRAWL_EGRESS_ALLOW",
    "CIDRs, addresses, hosts or host:port that the egress guard lets through although private.",
  ),
  proxyUrls: list(
    "TRAWL_PROXY_URLS",
    "Proxies for upstream requests, in turn or by rules: see Proxies.",
  ),
  hostRateLimits: list(
    "TRAWL_HOST_RATE_LIMITS",
    "Requests a second to hosts and their subdomains in place of the usual, as shop.com=2,slow.org=0.1.",
  ),
  proxyResolves: flag(
    "TRAWL_PROXY_RESOLVES",
    "true: proxies and unlocker resolve names themselves, and may reach private addresses by name.",
  ),
  unlockerUrl: optional(
    "TRAWL_UNLOCKER_URL",
    "Proxy that decrypts and unblocks, for useUnlocker and blocked pages.",
  ),
  chrome: optional("TRAWL_CHROME", "Path of Chrome or Chromium; found by itself when unset."),
  chromeDownloadUrl: text(
    "TRAWL_CHROME_DOWNLOAD_URL",
    "https://storage.googleapis.com/chrome-for-testing-public",
    "Where Chrome's headless shell is fetched from, into the data folder, when the first page needs one and none is found: Chrome for Testing or a mirror of it; `never` forbids it.",
  ),
  chromeArgs: setting(
    "TRAWL_CHROME_ARGS",
    Type.Array(Type.String(), { default: [], separator: String.raw`[\s,]+(?=--)` }),
    "Flags for Chrome beside Trawl's own, over which they win; none that leads round the guard.",
  ),
  chromeHeaded: flag(
    "TRAWL_CHROME_HEADED",
    "Chrome has a window, on the display that DISPLAY names, such as one of Xvfb: some sites serve no other.",
  ),
  chromeWebdriver: flag(
    "TRAWL_CHROME_WEBDRIVER",
    "Pages can see that a program drives Chrome (navigator.webdriver), as browsers tell it. Some sites refuse such visits; false hides it.",
    true,
  ),
  chromeWs: list(
    "TRAWL_CHROME_WS",
    "Browsers that run elsewhere: those of `trawl browser serve`, or CDP endpoints, each with #weight=2 where it is to have more than the others.",
  ),
  browserToken: optional(
    "TRAWL_BROWSER_TOKEN",
    "What `trawl browser serve` asks its callers for; made anew at each start when unset.",
  ),
  browserTabs: integer("TRAWL_BROWSER_TABS", 8, 1, "Tabs that Chrome may have open at once."),
  pageWaitSeconds: setting(
    "TRAWL_PAGE_WAIT_SECONDS",
    Type.Integer({ default: 12, minimum: 0, maximum: 60 }),
    "Maximum seconds that Chrome waits for a challenge to clear, an app shell to fill or the wanted content to appear.",
  ),
  upstreamsUrl: optional(
    "TRAWL_UPSTREAMS_URL",
    "Where `trawl upstreams update` fetches signed tables of site constants, as https://example.org/upstreams.json.",
  ),
  upstreamsDaily: flag(
    "TRAWL_UPSTREAMS_DAILY",
    "Whether the service fetches these tables once a day. It takes them back if a scraper that worked is broken by them.",
  ),
  upstreamsKey: optional(
    "TRAWL_UPSTREAMS_KEY",
    "Ed25519 public key (SPKI, base64) that these tables must be signed with, instead of the project's.",
  ),
  contact: optional("TRAWL_CONTACT", "Mail or web address told to upstreams that ask for one."),
  llmUrl: optional(
    "TRAWL_LLM_URL",
    "A server of chat completions, as http://127.0.0.1:11434/v1, for those who ask for a model by `extract`; it may be private.",
  ),
  llmKey: optional("TRAWL_LLM_KEY", "Its key; named in TRAWL_KEYLESS_SECRETS, it serves all."),
  llmModel: optional("TRAWL_LLM_MODEL", "The model that is asked there."),
  llmTimeoutSeconds: integer(
    "TRAWL_LLM_TIMEOUT_SECONDS",
    60,
    1,
    "Longest wait for one answer of it, in seconds.",
  ),
  llmInputTokens: integer(
    "TRAWL_LLM_INPUT_TOKENS",
    30_000,
    2000,
    "Tokens of a page that it is given at most, about; the rest is cut off.",
  ),
  replay: list(
    "TRAWL_REPLAY",
    "Folders of recorded cases, separated by commas, that answer every upstream request instead of the network. A folder may also hold folders of cases.",
  ),
  metricsToken: optional(
    "TRAWL_METRICS_TOKEN",
    "With this as Bearer token, /metrics tells Prometheus how the service does; without it, nobody.",
  ),
  metricsAddress: optional(
    "TRAWL_METRICS_ADDRESS",
    "Address and port of its own, as 127.0.0.1:9090, on which /metrics needs no token.",
  ),
  otlpEndpoint: optional(
    "TRAWL_OTLP_ENDPOINT",
    "OpenTelemetry collector that is sent traces of calls and runs by HTTP, as http://127.0.0.1:4318.",
  ),
  smtpUrl: optional(
    "TRAWL_SMTP_URL",
    "Mail server for notifications by e-mail, as smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465; ?tls=never lets a password go without TLS.",
  ),
  smtpFrom: optional("TRAWL_SMTP_FROM", "Sender of these mails, as Trawl <trawl@example.com>."),
  smtpTo: list(
    "TRAWL_SMTP_TO",
    "Whom members' channels may write to: addresses, domains as @example.com, or * for all; owners may write to anybody.",
  ),
  logLevel: choice(
    "TRAWL_LOG_LEVEL",
    ["info", "debug", "warn", "error", "silent"],
    "Least level of log lines.",
  ),
} satisfies TProperties

/** Settings that can be changed while the service runs: by owners, kept in the database. */
export const changeable: readonly (keyof typeof settings)[] = [
  "signup",
  "signupCredits",
  "signupsDaily",
  "freeDaily",
  "keylessTimeoutSeconds",
  "keylessPages",
  "keylessItems",
  "keylessWait",
  "keylessSecrets",
  "scriptAccounts",
  "toolsLimitStatus",
  "rateLimit",
  "runsPerAccount",
  "retentionDays",
  "logRetentionDays",
  "fileMegabytes",
  "runFileMegabytes",
  "accountFileMegabytes",
  "fileDays",
  "backupTo",
  "backupHours",
  "backupKeep",
  "reuseCookies",
  "hostRateLimits",
  "proxyUrls",
  "unlockerUrl",
  "contact",
  "smtpUrl",
  "smtpFrom",
  "smtpTo",
  "llmUrl",
  "llmKey",
  "llmModel",
  "llmTimeoutSeconds",
  "llmInputTokens",
  "logLevel",
]
/** They hold passwords. */
export const secretSettings: readonly (keyof typeof settings)[] = [
  "proxyUrls",
  "unlockerUrl",
  "chromeWs",
  "browserToken",
  "metricsToken",
  "databaseUrl",
  "databaseDirectUrl",
  "smtpUrl",
  "s3SecretAccessKey",
  "llmKey",
]
