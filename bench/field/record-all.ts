/**
 * Tests `trawl record-all` against the recorded sites: `bun bench/field/record-all.ts [slug,slug]`.
 * All hosts of the chosen cases are served over TLS (internet.ts). The command line runs in a mount
 * namespace whose hosts file names them, with a probe per scraper that has its case's input. Then
 * the recordings are imported. Scrapers without a case then run again with the keys of their cases,
 * and without Chrome. Prints which probes worked, which recordings became cases, and whether they
 * contain a cookie or a key. Linux, as root.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { importRecordings } from "../../scripts/import-recordings.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { exchangeBody, type ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { casesUnder, corpus, replay } from "../../test/corpus-run.ts"
import { challenges } from "./challenges.ts"
import { everywhere, smallInternet } from "./internet.ts"

const slugs = process.argv[2]?.split(",")
/** Secrets that no recording may contain. */
const secrets = {
  GITHUB_TOKEN: "ghp_of-the-field-bench-0001",
  REDDIT_COOKIE: "reddit_session=of-the-field-bench-0002",
}

/**
 * Returns the first case of a scraper that yields an item, and whose hosts can be served; without
 * keys if possible.
 */
async function caseOf(slug: string): Promise<ReplayCase | undefined> {
  const keysOf = ({ env }: ReplayCase) => Object.keys(env).length
  for (const recorded of casesUnder(corpus, slug).toSorted((a, b) => keysOf(a) - keysOf(b))) {
    const isPlain = recorded.exchanges.every(
      ({ url, via, failure }) => url.startsWith("https://") && via !== "unlocker" && !failure,
    )
    if (!isPlain) continue
    const { items } = await replay(recorded)
    if (items.some((item) => !item.error)) return recorded
  }
}

const chosen: ReplayCase[] = []
for (const { slug } of catalogue) {
  const found = !slugs || slugs.includes(slug) ? await caseOf(slug) : undefined
  if (found) chosen.push(found)
}
const exchanges = chosen.flatMap((recorded) =>
  recorded.exchanges.map(({ body, ...exchange }) => ({
    ...exchange,
    bytes: exchangeBody(recorded.folder, { ...exchange, ...(body && { body }) }),
  })),
)
const hosts = [...new Set(exchanges.map(({ url }) => new URL(url).hostname))]
const internet = await smallInternet(hosts)
const all = { folder: "", slug: "", case: "all", input: {}, env: {}, exchanges, expect: [] }
internet.play(all, challenges.none!)

const folder = mkdtempSync(join(tmpdir(), "field-record-"))
const file = (name: string) => join(folder, name)
mkdirSync(file("data"))
const names = hosts.map((host) => `${everywhere} ${host}\n`).join("")
writeFileSync(file("hosts"), `127.0.0.1 localhost\n${names}`)
writeFileSync(file("ca.pem"), internet.ca)
const probes = chosen.map(({ slug, input }) => [slug, { input, expect: ["items.length gte 1"] }])
writeFileSync(file("data/probes.json"), JSON.stringify(Object.fromEntries(probes)))

const main = join(import.meta.dir, "../../src/main.ts")
/** Records the probes of these scrapers to a folder, and imports what can be replayed. */
async function record(to: string, slugs: string[], env: Record<string, string>, path: string) {
  const trawl = `${process.execPath} ${main} record-all --out ${file(to)} ${slugs.join(" ")}`
  const command = `mount --bind ${file("hosts")} /etc/hosts && PATH=${path} exec ${trawl}`
  const child = Bun.spawn(["unshare", "-m", "sh", "-c", command], {
    env: {
      ...process.env,
      ...env,
      TRAWL_DATA_DIR: file("data"),
      NODE_EXTRA_CA_CERTS: file("ca.pem"),
      TRAWL_EGRESS_ALLOW: `${everywhere}:443`,
      TRAWL_CHROME_ARGS: internet.chromeArgs.join(" "),
      TRAWL_CHROME_DOWNLOAD_URL: "never",
      BUN_FEATURE_FLAG_EXPERIMENTAL_HTTP2_CLIENT: "1",
    },
    stdout: "inherit",
    stderr: "inherit",
  })
  return {
    code: await child.exited,
    imported: await importRecordings(file(to), file("imported")),
  }
}

const keys = { ...secrets, ...Object.assign({}, ...chosen.map(({ env }) => env)) }
// A site's response depends on the client: with a key other URLs are used, and Chrome opens pages
// whose data the HTTP client requests.
const runs = [
  { to: "out", env: secrets, path: process.env.PATH! },
  { to: "out/keys", env: keys, path: process.env.PATH! },
  { to: "out/plain", env: keys, path: file("data") },
]
const missing = new Set(chosen.map(({ slug }) => slug))
let code = 0
for (const { to, env, path } of runs) {
  if (missing.size === 0) break
  const ended = await record(to, [...missing], env, path)
  code = Math.max(code, ended.code)
  for (const { slug, path, reason } of ended.imported) {
    if (path) missing.delete(slug)
    else console.log(`${slug}: ${reason}`)
  }
}
internet.close()

const cookie = /"set-cookie": \[\s*"[^=]*=(?!masked)/
const leaking = readdirSync(file("out"), { recursive: true, encoding: "utf8" }).filter((name) => {
  if (!/\.\w+$/.test(name) || name.endsWith("Z")) return false
  const text = readFileSync(file(join("out", name)), "latin1")
  const isLeaked = Object.values<string>(keys).some((key) => {
    const value = key.replace("reddit_session=", "")
    // A recorded key of a few letters may be a word of any page.
    return value.length >= 8 && text.includes(value)
  })
  return isLeaked || (name.endsWith("case.json") && cookie.test(text))
})
console.log(
  `${chosen.length} probes, ${chosen.length - missing.size} became cases, ${leaking.length} files with a cookie or a key: ${leaking.join(", ")}`,
)
rmSync(folder, { recursive: true })
process.exit(code === 0 && leaking.length === 0 ? 0 : 1)
