import { type TProperties, type TSchema, Type } from "@sinclair/typebox"

/** Defines a setting: the name of its environment variable, its schema and its description. */
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

/** All settings of Trawl. Each has a working default; lists are comma-separated. */
export const settings = {
  host: text(
    "TRAWL_HOST",
    "127.0.0.1",
    "IP address to listen on, for example 0.0.0.0 for all interfaces.",
  ),
  port: setting(
    "TRAWL_PORT",
    Type.Integer({ default: 8080, minimum: 0, maximum: 65_535 }),
    "Port to listen on; 0 chooses a free one.",
  ),
  dataDir: text(
    "TRAWL_DATA_DIR",
    "./trawl-data",
    "Folder of the database, files and Chrome. Under systemd, the unit's state folder is used if it has one.",
  ),
  databaseUrl: optional(
    "TRAWL_DATABASE_URL",
    "PostgreSQL database instead of SQLite in the data folder, for example postgres://trawl:secret@db:5432/trawl. Processes with the same database form one service.",
  ),
  databaseDirectUrl: optional(
    "TRAWL_DATABASE_DIRECT_URL",
    "URL of the same PostgreSQL without a pooler such as PgBouncer, for LISTEN. Without it, changes of other processes are noticed up to a second later.",
  ),
  processUrl: optional(
    "TRAWL_PROCESS_URL",
    "URL at which the other processes with the same PostgreSQL reach this one, for example http://10.0.0.7:8080. Default: TRAWL_HOST and TRAWL_PORT, or the machine's IP address if it listens on all interfaces.",
  ),
  baseUrl: optional(
    "TRAWL_BASE_URL",
    "Public URL of the service, for links in responses, for example https://example.com/trawl; it may have a path.",
  ),
  trustProxy: list(
    "TRAWL_TRUST_PROXY",
    "Reverse proxies whose X-Forwarded-* headers are trusted: comma-separated CIDRs, for example 127.0.0.1/32,10.0.0.0/8.",
  ),
  signup: choice(
    "TRAWL_SIGNUP",
    ["unowned", "open", "closed"],
    "Who may sign up: `unowned` anyone until the service has an administrator, `open` anyone, `closed` no one. Invitations always work.",
  ),
  signupCredits: integer(
    "TRAWL_SIGNUP_CREDITS",
    200,
    0,
    "Credits of a new account. Further accounts from the same IP address on the same day get a quarter.",
  ),
  signupsDaily: integer(
    "TRAWL_SIGNUPS_DAILY",
    3,
    0,
    "Maximum sign-ups a day from one IP address; 0 means no limit.",
  ),
  freeDaily: integer(
    "TRAWL_FREE_DAILY",
    50,
    0,
    "Daily free quota: calls without an API key for each IP address.",
  ),
  keylessTimeoutSeconds: integer(
    "TRAWL_KEYLESS_TIMEOUT_SECONDS",
    60,
    1,
    "Maximum duration of a keyless run, in seconds.",
  ),
  keylessPages: integer("TRAWL_KEYLESS_PAGES", 25, 1, "Maximum pages of a keyless run."),
  keylessItems: integer("TRAWL_KEYLESS_ITEMS", 100, 1, "Maximum items of a keyless run."),
  keylessWait: integer(
    "TRAWL_KEYLESS_WAIT",
    25,
    0,
    "Seconds that a keyless call waits before it returns RUNNING. Set it below the timeout of your proxy.",
  ),
  scriptAccounts: list(
    "TRAWL_SCRIPT_ACCOUNTS",
    "Accounts whose runs may execute JavaScript on pages: comma-separated account IDs, for example acc_0198a,acc_0198b, or `all` for every account.",
  ),
  keylessSecrets: list(
    "TRAWL_KEYLESS_SECRETS",
    "API keys and sessions of sites that keyless runs may use: comma-separated names, for example GITHUB_TOKEN,YELP_API_KEY, or `all`. The others are for accounts only.",
  ),
  toolsLimitStatus: setting(
    "TRAWL_TOOLS_LIMIT_STATUS",
    Type.Integer({ default: 200, minimum: 200, maximum: 429 }),
    "HTTP status of the shortcut endpoints when the daily free quota is exhausted: 200 or 429.",
  ),
  rateLimit: integer(
    "TRAWL_RATE_LIMIT",
    600,
    0,
    "Maximum calls a minute for each API key, or for each IP address without a key; 0 means no limit.",
  ),
  workers: integer(
    "TRAWL_WORKERS",
    0,
    0,
    "Threads that execute runs; 0 means one per processor core.",
  ),
  runsPerAccount: integer(
    "TRAWL_RUNS_PER_ACCOUNT",
    10,
    1,
    "Maximum concurrent runs of one account; further runs wait.",
  ),
  retentionDays: integer(
    "TRAWL_RETENTION_DAYS",
    30,
    0,
    "Days for which finished runs and their items are stored; 0 means forever.",
  ),
  logRetentionDays: integer(
    "TRAWL_LOG_RETENTION_DAYS",
    7,
    0,
    "Days for which the log lines of runs are stored; 0 means as long as the run.",
  ),
  checks: flag(
    "TRAWL_HEALTH_CHECKS",
    "Checks scrapers against their sites on a schedule: open APIs daily, protected sites weekly.",
  ),
  s3Bucket: optional(
    "TRAWL_S3_BUCKET",
    "Bucket, or bucket/path, of an S3-compatible storage for files of runs (screenshots, PDFs), instead of the data folder.",
  ),
  s3Endpoint: optional(
    "TRAWL_S3_ENDPOINT",
    "URL of the storage if it is not Amazon's. Default: AWS_ENDPOINT_URL.",
  ),
  s3Region: optional("TRAWL_S3_REGION", "Region of the storage. Default: AWS_REGION."),
  s3AccessKeyId: optional(
    "TRAWL_S3_ACCESS_KEY_ID",
    "Access key ID of the storage, also for backups. Default: AWS_ACCESS_KEY_ID.",
  ),
  s3SecretAccessKey: optional(
    "TRAWL_S3_SECRET_ACCESS_KEY",
    "Secret access key of the storage, also for backups. Default: AWS_SECRET_ACCESS_KEY.",
  ),
  fileMegabytes: integer("TRAWL_FILE_MB", 20, 1, "Maximum size of one file of a run, in MB."),
  runFileMegabytes: integer(
    "TRAWL_RUN_FILES_MB",
    500,
    0,
    "Maximum total size of the files of one run, in MB; 0 means no limit.",
  ),
  accountFileMegabytes: integer(
    "TRAWL_ACCOUNT_FILES_MB",
    5000,
    0,
    "Maximum total size of the files of one account, or of all anonymous callers, in MB; 0 means no limit.",
  ),
  fileDays: integer(
    "TRAWL_FILE_DAYS",
    0,
    0,
    "Days for which files are stored; 0 means as long as their run. Files of anonymous callers are stored for at most one day.",
  ),
  backupTo: optional(
    "TRAWL_BACKUP_TO",
    "Destination of scheduled backups: a folder, or s3://bucket/path with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and AWS_ENDPOINT_URL if it is not Amazon's.",
  ),
  backupHours: integer("TRAWL_BACKUP_HOURS", 24, 1, "Hours between two scheduled backups."),
  backupKeep: integer(
    "TRAWL_BACKUP_KEEP",
    7,
    0,
    "Number of scheduled backups to keep, the newest ones; 0 keeps all.",
  ),
  reuseCookies: flag(
    "TRAWL_REUSE_COOKIES",
    "Keeps cookies that a site sets for anyone (cleared challenges, consent, anonymous sessions) for the next runs.",
    true,
  ),
  egressAllow: list(
    "TRAWL_EGRESS_ALLOW",
    "Private destinations that the egress filter allows: comma-separated CIDRs, IP addresses, hosts or host:port, for example 10.0.0.0/8,wiki.internal:8443.",
  ),
  destinationAllow: list(
    "TRAWL_DESTINATION_ALLOW",
    "Private IP addresses and hosts that destinations of accounts may use, in addition to TRAWL_EGRESS_ALLOW: comma-separated CIDRs, IP addresses, hosts or host:port, for example db.internal:5432.",
  ),
  destinationFolder: optional(
    "TRAWL_DESTINATION_FOLDER",
    "Folder for destinations of the kind `folder`, which administrators can create, for example /srv/trawl-items. Without it, there are none.",
  ),
  proxyUrls: list(
    "TRAWL_PROXY_URLS",
    "Proxies for upstream requests, comma-separated, for example http://user:password@proxy1:3128,http://proxy2:3128. They are used one after the other, or by rules: see Proxies.",
  ),
  hostRateLimits: list(
    "TRAWL_HOST_RATE_LIMITS",
    "Requests a second to hosts and their subdomains, instead of the default, comma-separated, for example shop.com=2,slow.org=0.1.",
  ),
  proxyResolves: flag(
    "TRAWL_PROXY_RESOLVES",
    "Lets proxies and the unlocker resolve host names themselves. Names can then lead to private IP addresses.",
  ),
  unlockerUrl: optional(
    "TRAWL_UNLOCKER_URL",
    "URL of an unblocking proxy, for `useUnlocker` and blocked pages, for example http://user:password@unlocker:8000.",
  ),
  chrome: optional("TRAWL_CHROME", "Path of Chrome or Chromium; searched automatically if unset."),
  chromeDownloadUrl: text(
    "TRAWL_CHROME_DOWNLOAD_URL",
    "https://storage.googleapis.com/chrome-for-testing-public",
    "Source of Chrome's headless shell: Chrome for Testing or a mirror of it. It is downloaded to the data folder when a page needs Chrome and none is found; `never` forbids it.",
  ),
  chromeArgs: setting(
    "TRAWL_CHROME_ARGS",
    Type.Array(Type.String(), { default: [], separator: String.raw`[\s,]+(?=--)` }),
    "Additional flags for Chrome, separated by commas or spaces, for example --no-sandbox,--lang=de. They override Trawl's flags; flags that bypass the egress filter are rejected.",
  ),
  chromeHeaded: flag(
    "TRAWL_CHROME_HEADED",
    "Opens Chrome with a window on the display in DISPLAY, for example one of Xvfb. Some sites only serve such a browser.",
  ),
  chromeWebdriver: flag(
    "TRAWL_CHROME_WEBDRIVER",
    "Lets pages see in navigator.webdriver that a program controls Chrome. Some sites refuse such visits; false hides it.",
    true,
  ),
  chromeWs: list(
    "TRAWL_CHROME_WS",
    "Browsers on other machines, started by `trawl browser serve`, or CDP endpoints: comma-separated URLs, for example ws://one:9222,ws://two:9222#weight=2, whose weight gives it twice the load.",
  ),
  browserToken: optional(
    "TRAWL_BROWSER_TOKEN",
    "Token that clients of `trawl browser serve` must send; a new one at each start if unset.",
  ),
  browserTabs: integer("TRAWL_BROWSER_TABS", 8, 1, "Maximum open tabs of Chrome."),
  pageWaitSeconds: setting(
    "TRAWL_PAGE_WAIT_SECONDS",
    Type.Integer({ default: 12, minimum: 0, maximum: 60 }),
    "Maximum seconds that Chrome waits for a challenge to clear, an app shell to fill or the wanted content to appear.",
  ),
  upstreamsUrl: optional(
    "TRAWL_UPSTREAMS_URL",
    "Source of signed site constants for `trawl upstreams update`, for example https://example.org/upstreams.json.",
  ),
  upstreamsDaily: flag(
    "TRAWL_UPSTREAMS_DAILY",
    "Updates the site constants once a day, and reverts an update that breaks a working scraper.",
  ),
  upstreamsKey: optional(
    "TRAWL_UPSTREAMS_KEY",
    "Ed25519 public key (SPKI, base64) that must have signed the site constants, instead of the project's key.",
  ),
  contact: optional(
    "TRAWL_CONTACT",
    "Email address or URL that is sent to upstreams that require a contact.",
  ),
  llmUrl: optional(
    "TRAWL_LLM_URL",
    "Base URL of a chat-completions API for `extract` with a model, for example http://127.0.0.1:11434/v1; it may be private.",
  ),
  llmKey: optional(
    "TRAWL_LLM_KEY",
    "Key for the model at `TRAWL_LLM_URL`. Anonymous callers may use it if `TRAWL_KEYLESS_SECRETS` names it.",
  ),
  llmModel: optional(
    "TRAWL_LLM_MODEL",
    "Name of the model at `TRAWL_LLM_URL`, for example llama3.1.",
  ),
  llmTimeoutSeconds: integer(
    "TRAWL_LLM_TIMEOUT_SECONDS",
    60,
    1,
    "Maximum seconds to wait for a response of the model.",
  ),
  llmInputTokens: integer(
    "TRAWL_LLM_INPUT_TOKENS",
    30_000,
    2000,
    "Maximum tokens of a page that are sent to the model, approximately; the rest is cut off.",
  ),
  replay: list(
    "TRAWL_REPLAY",
    "Folders of recorded cases that respond to all upstream requests instead of the network, comma-separated, for example ./cases,./more. A folder may contain folders of cases.",
  ),
  metricsToken: optional(
    "TRAWL_METRICS_TOKEN",
    "Bearer token for Prometheus at /metrics; without it, /metrics is disabled.",
  ),
  metricsAddress: optional(
    "TRAWL_METRICS_ADDRESS",
    "Separate IP address and port for /metrics without a token, for example 127.0.0.1:9090.",
  ),
  otlpEndpoint: optional(
    "TRAWL_OTLP_ENDPOINT",
    "OpenTelemetry collector (OTLP over HTTP) that receives traces of calls and runs, for example http://127.0.0.1:4318.",
  ),
  smtpUrl: optional(
    "TRAWL_SMTP_URL",
    "Mail server for email notifications, for example smtp://user:password@host:587 (STARTTLS) or smtps://user:password@host:465. `?tls=never` allows a password without TLS.",
  ),
  smtpFrom: optional(
    "TRAWL_SMTP_FROM",
    "Sender of these emails, for example Trawl <trawl@example.com>.",
  ),
  smtpTo: list(
    "TRAWL_SMTP_TO",
    "Email recipients that members may choose for channels: comma-separated email addresses and domains, for example ada@example.com,@example.org, or * for all. Administrators may choose any.",
  ),
  logLevel: choice(
    "TRAWL_LOG_LEVEL",
    ["info", "debug", "warn", "error", "silent"],
    "Lowest level of log lines that are written.",
  ),
} satisfies TProperties

/**
 * Settings that administrators can change while the service runs; the values are stored in the
 * database.
 */
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
/** Settings that contain passwords. */
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
