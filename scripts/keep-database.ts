/**
 * Dumps databases as a commit writes them, SQLite and PostgreSQL, for the test that later versions open
 * them. Checks the commit out to a temporary folder; its own store writes an account, runs, a batch, a
 * schedule, a recipe and a webhook.
 *
 *     bun scripts/keep-database.ts <commit> <name>
 */
import { Database } from "bun:sqlite"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stored } from "../test/fixtures/databases/kept.ts"
import { freshDatabase, programs, stopPostgres } from "../test/postgres.ts"

const root = join(import.meta.dir, "..")

const fixtures = join(root, "test/fixtures/databases")

async function keep(commit: string, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-keep-"))
  const checkout = join(folder, "checkout")
  git("worktree", "add", "--detach", checkout, commit)
  try {
    symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"))
    const { openStoreAt } = await import(join(checkout, "src/store/store.ts"))
    const databaseUrl = await freshDatabase()
    for (const location of [{ dataDir: join(folder, "one") }, { dataDir: folder, databaseUrl }]) {
      mkdirSync(location.dataDir, { recursive: true })
      copyFileSync(join(fixtures, "trawl.key"), join(location.dataDir, "trawl.key"))
      const store = await openStoreAt(location)
      await fill(store)
      await store.close()
    }
    writeFileSync(join(fixtures, `${name}.sql`), dump(join(folder, "one/trawl.db")))
    writeFileSync(join(fixtures, `${name}.postgres.sql`), dumpPostgres(databaseUrl))
  } finally {
    await stopPostgres()
    git("worktree", "remove", "--force", checkout)
    rmSync(folder, { recursive: true, force: true })
  }
}

function dumpPostgres(url: string): string {
  const flags = ["--inserts", "--no-owner", "--no-privileges"]
  const { stdout, stderr, success } = Bun.spawnSync([join(programs!, "pg_dump"), ...flags, url])
  if (!success) throw new Error(stderr.toString())
  // Commands of psql and comments are not SQL.
  return `${stdout
    .toString()
    .replace(/^(?:\\.*|--.*)\n/gm, "")
    .replace(/\n{2,}/g, "\n")
    .trim()}\n`
}

function git(...words: string[]): string {
  const { stdout, stderr, success } = Bun.spawnSync(["git", ...words], { cwd: root })
  if (!success) throw new Error(stderr.toString())
  return stdout.toString().trim()
}

/** The store may be of another commit, whose types differ. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export async function fill(store: any): Promise<void> {
  const { at, accountId, runs } = stored
  await store.write("accounts.create", {
    id: accountId,
    email: stored.email,
    passwordHash: null,
    unlimited: false,
    credits: 200,
    createdAt: at,
  })
  const hash = new Bun.CryptoHasher("sha256").update(stored.key).digest("hex")
  const key = { id: "key_kept", hash, hint: "trawl_live_…kept", name: "kept", createdAt: at }
  await store.write("keys.create", { ...key, accountId })
  for (const run of runs) {
    const row = await store.write("runs.create", {
      id: run.id,
      datasetId: run.datasetId,
      slug: run.slug,
      input: run.input,
      accountId,
      origin: "api",
      maxItems: null,
      maxPages: null,
      timeoutSeconds: 60,
      createdAt: at,
      targets: run.targets.map((key) => ({ key, target: JSON.stringify(key) })),
    })
    if (run.items.length === 0) continue
    const { attempt } = await store.write("runs.claim", { id: run.id, at })
    await store.write("targets.commit", {
      runN: row.n,
      attempt,
      started: [],
      notes: [],
      keyId: null,
      finished: run.items.map((item, seq) => ({
        seq,
        failed: "error" in item,
        staged: 0,
        items: [{ body: JSON.stringify(item), isError: "error" in item }],
        followed: [],
        pages: 1,
        unlockerPages: 0,
        bytes: 0,
        remembered: {},
        tables: [],
      })),
      runId: run.id,
      accountId,
      slug: run.slug,
      tier: "free",
      at,
    })
    const end = { status: "succeeded", error: null, capped: null }
    await store.write("runs.finish", { id: run.id, attempt, ...end, at })
  }
  const { id, secret } = stored.webhook
  await store.write("webhooks.create", {
    id,
    account_id: accountId,
    url: "https://example.com/hook",
    events: '["run.succeeded"]',
    description: null,
    secret: store.secrets?.close(secret, id) ?? secret,
    previous_secret: null,
    previous_until: null,
    disabled_at: null,
    disabled_reason: null,
    created_at: at,
  })
  const times = { created_at: at, updated_at: at }
  const { recipe, schedule, batch } = stored
  await store.write("recipes.create", {
    ...{ ...recipe, account_id: accountId, description: null, maximum: 10, ...times },
    input: JSON.stringify(recipe.input),
  })
  await store.write("schedules.create", {
    ...{ ...schedule, account_id: accountId, created_at: at },
    input: JSON.stringify(schedule.input),
  })
  await store.write("batches.create", {
    ...{ id: batch.id, accountId, keyId: null, name: null, createdAt: at },
    runs: batch.runs.map((run) => ({ recipe: null, ...run, input: JSON.stringify(run.input) })),
  })
}

export function dump(path: string): string {
  const sqlite = new Database(path, { readonly: true })
  const schema = sqlite
    .query("SELECT name, type, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")
    .all() as { name: string; type: string; sql: string }[]
  const rows = schema
    .filter(({ type }) => type === "table")
    .flatMap(({ name }) => {
      const columns = sqlite.query(`SELECT name FROM pragma_table_info('${name}')`).all()
      const quoted = (columns as { name: string }[]).map((column) => `quote("${column.name}")`)
      const values = `SELECT ${quoted.join(" || ', ' || ")} AS line FROM "${name}"`
      return (sqlite.query(values).all() as { line: string }[]).map(
        ({ line }) => `INSERT INTO "${name}" VALUES (${line})`,
      )
    })
  sqlite.close()
  const of = (isTrigger: boolean) =>
    schema.filter(({ type }) => (type === "trigger") === isTrigger).map(({ sql }) => sql)
  return `${[...of(false), ...rows, ...of(true)].join(";\n")};\n`
}

/** Returns the migrations that a dump of SQLite lists. */
export function schemaOf(sql: string): string[] {
  return [...sql.matchAll(/^INSERT INTO "migrations" VALUES \('([^']+)'/gm)].map(([, id]) => id!)
}

if (import.meta.main) {
  const [commit, name] = process.argv.slice(2)
  if (!commit || !name)
    throw new Error("Name a commit and the fixture: bun scripts/keep-database.ts HEAD schema-003")
  await keep(commit, name)
}
