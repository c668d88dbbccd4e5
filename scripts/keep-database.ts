/**
 * Keeps a database as a commit makes it, for the test that this version opens it: checks the commit
 * out beside, has its own store write an account, a key, runs with items, and a webhook, and writes
 * the database down as SQL.
 *
 *     bun scripts/keep-database.ts <commit> [name]
 */
import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { kept } from "../test/fixtures/databases/kept.ts"

const root = join(import.meta.dir, "..")

async function keep(commit: string, name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "trawl-keep-"))
  const checkout = join(folder, "checkout")
  git("worktree", "add", "--detach", checkout, commit)
  try {
    symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"))
    const dataDir = join(folder, "data")
    const store = (await import(join(checkout, "src/store/store.ts"))).openStore(dataDir)
    await fill(store)
    await store.close()
    const file = join(root, `test/fixtures/databases/${name}.sql`)
    writeFileSync(file, dump(join(dataDir, "trawl.db")))
    console.log(file)
  } finally {
    git("worktree", "remove", "--force", checkout)
    rmSync(folder, { recursive: true, force: true })
  }
}

function git(...words: string[]): string {
  const { stdout, stderr, success } = Bun.spawnSync(["git", ...words], { cwd: root })
  if (!success) throw new Error(stderr.toString())
  return stdout.toString().trim()
}

/** By another commit's modules, too: whatever it takes them for, the types of this one do not hold. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export async function fill(store: any): Promise<void> {
  const { at, accountId, runs } = kept
  await store.write("accounts.create", {
    id: accountId,
    email: kept.email,
    passwordHash: null,
    unlimited: false,
    credits: 200,
    createdAt: at,
  })
  const hash = new Bun.CryptoHasher("sha256").update(kept.key).digest("hex")
  const key = { id: "key_kept", hash, hint: "trawl_live_…kept", name: "kept", createdAt: at }
  await store.write("keys.create", { ...key, accountId })
  for (const run of runs) {
    const row = await store.write("runs.create", {
      id: run.id,
      datasetId: run.datasetId,
      slug: run.slug,
      input: { packages: run.targets },
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
      begun: [],
      notes: [],
      keyId: null,
      finished: run.items.map((item, seq) => ({
        seq,
        failed: "error" in item,
        spilled: 0,
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
  const { id, secret } = kept.webhook
  await store.write("webhooks.create", {
    id,
    account_id: accountId,
    url: "https://example.com/hook",
    events: '["run.succeeded"]',
    description: null,
    secret: store.seal?.close(secret, id) ?? secret,
    previous_secret: null,
    previous_until: null,
    disabled_at: null,
    disabled_reason: null,
    created_at: at,
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

/** The migrations that a kept database has had. */
export function schemaOf(sql: string): string[] {
  return [...sql.matchAll(/^INSERT INTO "migrations" VALUES \('([^']+)'/gm)].map(([, id]) => id!)
}

if (import.meta.main) {
  const [commit, name] = process.argv.slice(2)
  if (!commit) throw new Error("Which commit?")
  await keep(commit, name ?? git("rev-parse", "--short", commit))
}
