/**
 * `bun run release [target …]` builds the files to publish in dist/release: a compressed executable
 * for each platform; Debian and RPM packages; the clients' packages; checksums, the bill of
 * materials and the notes of this version. Two builds of the same sources have the same bytes.
 */
import { createHash } from "node:crypto"
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { basename, join } from "node:path"
import { gzipSync } from "node:zlib"
import { zipSync } from "fflate"
import { version } from "../../src/config/version.ts"
import { migrations } from "../../src/store/db/migrate.ts"
import { schemaOf } from "../keep-database.ts"
import { collectNotices } from "../notices.ts"
import { packJavaScript, packPython } from "./clients.ts"
import { makeDeb } from "./deb.ts"
import { makeRpm } from "./rpm.ts"
import { fetchRuntime, pinned } from "./runtimes.ts"
import { billOfMaterials } from "./sbom.ts"

const root = join(import.meta.dir, "../..")
const out = join(root, "dist/release")

/** Targets by Bun's name, with the names of Debian and RPM for platforms that have packages. */
const targets: Record<string, { deb?: string; rpm?: string }> = {
  "linux-x64": { deb: "amd64", rpm: "x86_64" },
  "linux-x64-musl": {},
  "linux-arm64": { deb: "arm64", rpm: "aarch64" },
  "linux-arm64-musl": {},
  "darwin-x64": {},
  "darwin-arm64": {},
  "windows-x64": {},
}

/** When the sources were last changed. All files in the packages have this time. */
const changedAt = Number(
  process.env.SOURCE_DATE_EPOCH ?? sh(["git", "log", "-1", "--format=%ct"]).trim(),
)

const requested = process.argv.slice(2)
const unknown = requested.filter((target) => !Object.hasOwn(targets, target))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}; there are ${Object.keys(targets).join(", ")}.`)
  process.exit(2)
}

if (Bun.version !== pinned.version) {
  console.error(
    `This is Bun ${Bun.version}, and ${pinned.version} is pinned: run bun scripts/release/runtimes.ts.`,
  )
  process.exit(2)
}

const lost = unkept()
if (lost.length > 0) {
  console.error(
    `No kept database has ${lost.join(", ")}, and what is released is to be opened for good: run bun scripts/keep-database.ts HEAD <name>.`,
  )
  process.exit(2)
}

rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
for (const target of requested.length > 0 ? requested : Object.keys(targets)) await release(target)
packJavaScript(root, out)
packPython(root, out)
copyFileSync(join(root, "deploy/install.sh"), join(out, "install.sh"))
writeFileSync(join(out, "NOTES.md"), notes())
writeFileSync(
  join(out, `trawl-${version}.cdx.json`),
  billOfMaterials({
    version,
    notices: collectNotices(root),
    lock: readFileSync(join(root, "bun.lock"), "utf8"),
    at: new Date(changedAt * 1000),
  }),
)
writeFileSync(join(out, "SHA256SUMS"), sums())
console.log(readFileSync(join(out, "SHA256SUMS"), "utf8"))

/** Returns migrations that no database among the tests has. */
function unkept(): string[] {
  const folder = join(root, "test/fixtures/databases")
  const texts = [...new Bun.Glob("*.sql").scanSync(folder)].map((file) =>
    readFileSync(join(folder, file), "utf8"),
  )
  const stored = new Set(texts.flatMap(schemaOf))
  return migrations.map(({ id }) => id).filter((id) => !stored.has(id))
}

async function release(target: string): Promise<void> {
  const isWindows = target.startsWith("windows")
  const program = join(root, "dist/parts", `trawl-${target}`, isWindows ? "trawl.exe" : "trawl")
  mkdirSync(join(program, ".."), { recursive: true })
  const runtime = fetchRuntime(target, join(root, "dist/runtimes"))
  const platform = ["--target", `bun-${target}`, "--runtime", runtime]
  sh([process.execPath, "build.ts", ...platform, "--outfile", program])
  chmodSync(program, 0o755)
  const bytes = readFileSync(program)
  const name = `trawl-${version}-${target}`
  if (isWindows) {
    const mtime = new Date(1980, 0, 2)
    writeFileSync(join(out, `${name}.zip`), zipSync({ "trawl.exe": bytes }, { level: 6, mtime }))
  } else writeFileSync(join(out, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  const { deb, rpm } = targets[target]!
  const of = { program, version, root, out, changedAt }
  if (deb) await makeDeb({ ...of, architecture: deb })
  if (rpm) await makeRpm({ ...of, architecture: rpm })
  console.log(`${target}: ${Math.round(bytes.length / 1e6)} MB`)
}

/** Returns the changelog's section of this version, or of the next one. */
function notes(): string {
  const sections = readFileSync(join(root, "CHANGELOG.md"), "utf8").split(/^(?=## )/m)
  const own = sections.find((section) => section.startsWith(`## ${version}`))
  const next = sections.find((section) => section.startsWith("## Unreleased"))
  return (own ?? next ?? "").replace(/^## .*\n+/, "")
}

/** Returns checksums in the form that `sha256sum --check` reads. */
function sums(): string {
  return readdirSync(out)
    .sort()
    .map((name) => {
      const hash = createHash("sha256")
        .update(readFileSync(join(out, name)))
        .digest("hex")
      return `${hash}  ${basename(name)}\n`
    })
    .join("")
}

function sh(command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: root })
  if (exitCode === 0) return stdout.toString()
  throw new Error(`${command.join(" ")}: ${stderr}`)
}
