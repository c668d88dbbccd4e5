import { afterAll, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { collectNotices } from "../../scripts/notices.ts"
import { makeDeb } from "../../scripts/release/deb.ts"
import { billOfMaterials } from "../../scripts/release/sbom.ts"

const root = join(import.meta.dir, "../..")
const folder = mkdtempSync(join(tmpdir(), "trawl-packages-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Stands for the executable. */
const program = join(folder, "program")
writeFileSync(program, "#!/bin/sh\necho 9.8.7\n")
chmodSync(program, 0o755)

test("the bill of materials has every package of the executable, with its checksum", () => {
  const notices = collectNotices(root)
  const lock = readFileSync(join(root, "bun.lock"), "utf8")
  const bill = JSON.parse(billOfMaterials({ version: "1.2.3", notices, lock, at: new Date(0) }))
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" })
  const [bun, ...packages] = bill.components
  expect(bun).toMatchObject({ name: "bun", version: Bun.version })
  expect(packages).toHaveLength(notices.length)
  const kysely = packages.find(({ name }: { name: string }) => name === "kysely")
  expect(kysely.purl).toMatch(/^pkg:npm\/kysely@\d/)
  expect(kysely.licenses).toEqual([{ expression: "MIT" }])
  const unhashed = packages.filter((one: { hashes?: unknown }) => !one.hashes)
  expect(unhashed.map((one: { name: string }) => one.name)).toEqual([])
  expect(packages[0].hashes[0].content).toMatch(/^[\da-f]{128}$/)
  expect(new Set(bill.dependencies[0].dependsOn).size).toBe(bill.components.length)
})

describe("install.sh", () => {
  const release = join(folder, "release")
  const names = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"].flatMap((target) =>
    ["", "-musl"].map((libc) => `trawl-9.8.7-${target}${libc}.gz`),
  )
  mkdirSync(release)
  const packed = gzipSync(readFileSync(program))
  for (const name of names) writeFileSync(join(release, name), packed)
  const sums = (hash: string) =>
    writeFileSync(join(release, "SHA256SUMS"), names.map((name) => `${hash}  ${name}\n`).join(""))
  const install = (version: string) => {
    const { exitCode, stdout, stderr } = Bun.spawnSync(["sh", join(root, "deploy/install.sh")], {
      env: {
        PATH: process.env.PATH ?? "",
        HOME: folder,
        TRAWL_FROM: release,
        TRAWL_VERSION: version,
        TRAWL_INTO: join(folder, "into"),
      },
    })
    return { exitCode, told: `${stdout}${stderr}` }
  }

  test("installs nothing that is another file", () => {
    sums("0".repeat(64))
    const { exitCode, told } = install("9.8.7")
    expect([exitCode, existsSync(join(folder, "into/trawl"))]).toEqual([1, false])
    expect(told).toContain("nothing was installed")
    expect(install("").told).toContain("set TRAWL_VERSION")
  })

  test("puts the executable of this machine in its place, also over another", () => {
    sums(createHash("sha256").update(packed).digest("hex"))
    for (const _ of [1, 2]) expect(install("9.8.7").exitCode).toBe(0)
    const installed = Bun.spawnSync([join(folder, "into/trawl"), "--version"])
    expect(installed.stdout.toString()).toBe("9.8.7\n")
    expect(install("1.1.1").exitCode).toBe(1)
  })
})

const hasDpkg = Bun.which("dpkg-deb") !== null
test.if(hasDpkg)(
  "the Debian package holds program, unit, settings, guide, and is made the same",
  async () => {
    const make = async (name: string) => {
      const out = join(folder, name)
      mkdirSync(out)
      await makeDeb({
        program,
        architecture: "amd64",
        version: "9.8.7",
        root,
        out,
        changedAt: 1_000_000,
      })
      return join(out, "trawl_9.8.7_amd64.deb")
    }
    const [first, second] = [await make("first"), await make("second")]
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true)
    const listed = Bun.spawnSync(["dpkg-deb", "--contents", first]).stdout.toString()
    for (const line of [
      /^-rwxr-xr-x root\/root .* \.\/usr\/bin\/trawl$/m,
      /^-rw-r--r-- root\/root .* \.\/lib\/systemd\/system\/trawl\.service$/m,
      /^-rw-r----- root\/root .* \.\/etc\/trawl\/trawl\.env$/m,
      /\.\/usr\/share\/doc\/trawl\/guide\/index\.md$/m,
      /\.\/usr\/share\/man\/man1\/trawl\.1\.gz$/m,
      /\.\/usr\/share\/bash-completion\/completions\/trawl$/m,
      /\.\/usr\/share\/zsh\/vendor-completions\/_trawl$/m,
      /\.\/usr\/share\/fish\/vendor_completions\.d\/trawl\.fish$/m,
    ]) {
      expect(listed).toMatch(line)
    }
  },
)

const analyze = Bun.which("systemd-analyze")
test.if(analyze !== null)("systemd rates the unit's exposure at 3.0 at most", () => {
  const unit = join(root, "deploy/systemd/trawl.service")
  const { exitCode, stdout } = Bun.spawnSync(
    [analyze!, "security", "--offline=true", "--threshold=30", "--no-pager", unit],
    { stderr: "inherit" },
  )
  expect(stdout.toString()).toMatch(/Overall exposure level for trawl\.service: [0-3]\.\d/)
  expect(exitCode).toBe(0)
})
