import { afterAll, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  lstatSync,
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
import { makeRpm } from "../../scripts/release/rpm.ts"
import { fetchRuntime, pinned } from "../../scripts/release/runtimes.ts"
import { billOfMaterials } from "../../scripts/release/sbom.ts"

const root = join(import.meta.dir, "../..")
const folder = mkdtempSync(join(tmpdir(), "trawl-packages-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Used instead of the executable. */
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
  // The Bun of each platform is another file.
  const platforms = Object.entries(pinned.integrity)
  expect(bun.externalReferences).toHaveLength(platforms.length)
  for (const [platform, integrity] of platforms) {
    expect(bun.externalReferences).toContainEqual({
      type: "distribution",
      url: `pkg:npm/%40oven/bun-${platform}@${Bun.version}`,
      hashes: [
        { alg: "SHA-512", content: Buffer.from(integrity.slice(7), "base64").toString("hex") },
      ],
    })
  }
})

test("a runtime is accepted if it matches its checksum, and downloaded once", () => {
  const [bin, runtimes] = [join(folder, "bin"), join(folder, "runtimes")]
  mkdirSync(join(folder, "package/bin"), { recursive: true })
  writeFileSync(join(folder, "package/bin/bun"), "the runtime")
  const archive = join(folder, "bun.tgz")
  expect(Bun.spawnSync(["tar", "-czf", archive, "-C", folder, "package"]).exitCode).toBe(0)
  // A fake npm that prints its arguments.
  mkdirSync(bin)
  const npm = `#!/bin/sh\necho "$*" >> ${folder}/asked\ncp ${archive} oven-bun-linux-aarch64-9.8.7.tgz\n`
  writeFileSync(join(bin, "npm"), npm, { mode: 0o755 })
  const fetched = (of: string | Buffer) => {
    const hash = createHash("sha512").update(of).digest("base64")
    const integrity = { "linux-aarch64": `sha512-${hash}` }
    const PATH = `${bin}:${process.env.PATH}`
    return fetchRuntime("linux-arm64", runtimes, { version: "9.8.7", integrity }, { PATH })
  }
  expect(() => fetched("another")).toThrow(
    /@oven\/bun-linux-aarch64 9\.8\.7 has the checksum sha512-.* is pinned/,
  )
  for (const _ of [1, 2]) {
    expect(readFileSync(fetched(readFileSync(archive)), "utf8")).toBe("the runtime")
  }
  // A file with another checksum is not kept.
  const requested = "pack --silent @oven/bun-linux-aarch64@9.8.7\n"
  expect(readFileSync(join(folder, "asked"), "utf8")).toBe(requested.repeat(2))
})

test("runtimes are pinned to the Bun version of the project", () => {
  expect(pinned.version).toBe(Bun.version)
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
    return { exitCode, reported: `${stdout}${stderr}` }
  }

  test("installs nothing if the checksum differs", () => {
    sums("0".repeat(64))
    const { exitCode, reported } = install("9.8.7")
    expect([exitCode, existsSync(join(folder, "into/trawl"))]).toEqual([1, false])
    expect(reported).toContain("nothing was installed")
    expect(install("").reported).toContain("set TRAWL_VERSION")
  })

  test("installs this machine's executable, also over another", () => {
    sums(createHash("sha256").update(packed).digest("hex"))
    for (const _ of [1, 2]) expect(install("9.8.7").exitCode).toBe(0)
    const installed = Bun.spawnSync([join(folder, "into/trawl"), "--version"])
    expect(installed.stdout.toString()).toBe("9.8.7\n")
    expect(install("1.1.1").exitCode).toBe(1)
  })
})

const hasDpkg = Bun.which("dpkg-deb") !== null
test.if(hasDpkg)(
  "the Debian package has program, unit, settings and guide, and is reproducible",
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

test.if(Bun.which("rpmbuild") !== null)(
  "the RPM package has program, unit, settings and guide, and is reproducible",
  async () => {
    const make = async (name: string) => {
      const out = join(folder, name)
      mkdirSync(out)
      const of = { program, architecture: "aarch64", version: "9.8.7", root, out }
      await makeRpm({ ...of, changedAt: 1_000_000 })
      return join(out, "trawl-9.8.7-1.aarch64.rpm")
    }
    const [first, second] = [await make("first-rpm"), await make("second-rpm")]
    expect(readFileSync(first).equals(readFileSync(second))).toBe(true)
    const query = (...args: string[]) =>
      Bun.spawnSync(["rpm", "--query", "--package", ...args, first]).stdout.toString()
    const files = query("--list", "--verbose")
    for (const line of [
      /^-rwxr-xr-x +\d+ root +root .* \/usr\/bin\/trawl$/m,
      /^-rw-r--r-- +\d+ root +root .* \/usr\/lib\/systemd\/system\/trawl\.service$/m,
      /^-rw-r----- +\d+ root +root .* \/etc\/trawl\/trawl\.env$/m,
      /\/usr\/share\/doc\/trawl\/guide\/index\.md$/m,
    ]) {
      expect(files).toMatch(line)
    }
    expect(query("--configfiles")).toBe("/etc/trawl/trawl.env\n")
    expect(query("--requires")).toMatch(/^glibc >= 2\.31$/m)
    expect(query("--scripts")).toContain("systemctl try-restart trawl.service")
    const digest = createHash("sha256").update(readFileSync(program)).digest("hex")
    expect(query("--dump")).toMatch(new RegExp(`^/usr/bin/trawl \\d+ \\d+ ${digest} `, "m"))
  },
  60_000,
)

const helper = Bun.which("deb-systemd-helper")
test.if(helper !== null)("the Debian package's service is enabled again after a removal", () => {
  const target = join(folder, "target")
  const bin = join(folder, "invoked")
  for (const made of ["lib/systemd/system", "etc/systemd/system", "run/systemd/system"]) {
    mkdirSync(join(target, made), { recursive: true })
  }
  mkdirSync(bin)
  const unit = readFileSync(join(root, "deploy/systemd/trawl.service"))
  writeFileSync(join(target, "lib/systemd/system/trawl.service"), unit)
  // There is no systemd here; calls of it are recorded.
  for (const name of ["systemctl", "deb-systemd-invoke"]) {
    const script = `#!/bin/sh\necho "${name} $*" >> ${folder}/invocations\n`
    writeFileSync(join(bin, name), script, { mode: 0o755 })
  }
  const run = (script: string, ...args: string[]) => {
    writeFileSync(join(folder, "invocations"), "")
    const { exitCode, stderr } = Bun.spawnSync(
      ["sh", join(root, "deploy/debian", script), ...args],
      {
        env: {
          PATH: `${bin}:${process.env.PATH}`,
          DPKG_ROOT: target,
          DPKG_MAINTSCRIPT_PACKAGE: "trawl",
        },
      },
    )
    expect([exitCode, stderr.toString()]).toEqual([0, ""])
    return readFileSync(join(folder, "invocations"), "utf8").trim().split("\n").at(-1)
  }
  const link = join(target, "etc/systemd/system/multi-user.target.wants/trawl.service")
  const isEnabled = () => lstatSync(link, { throwIfNoEntry: false }) !== undefined
  expect(run("postinst", "configure", "")).toBe("deb-systemd-invoke start trawl.service")
  expect(isEnabled()).toBe(true)
  expect(run("prerm", "remove")).toBe("deb-systemd-invoke stop trawl.service")
  run("postrm", "remove")
  // dpkg passes the previous version, also after a removal.
  expect(run("postinst", "configure", "1.0.0")).toBe("deb-systemd-invoke restart trawl.service")
  expect(isEnabled()).toBe(true)
  const masked = join(target, "etc/systemd/system/trawl.service")
  expect(lstatSync(masked, { throwIfNoEntry: false })).toBeUndefined()
  // A service that was disabled remains disabled after an upgrade.
  rmSync(link)
  run("prerm", "upgrade", "1.1.0")
  run("postinst", "configure", "1.0.0")
  expect(isEnabled()).toBe(false)
})

test("the image's health check accepts status 200 only", async () => {
  const [, command] = /^HEALTHCHECK .* CMD (\[.*\])$/m.exec(
    readFileSync(join(root, "deploy/docker/Dockerfile"), "utf8"),
  )!
  const check = (port: number) =>
    Bun.spawn(JSON.parse(command!), {
      env: { PATH: process.env.PATH ?? "", TRAWL_PORT: String(port) },
      stderr: "ignore",
    }).exited
  let status = 200
  const service = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) =>
      new Response(null, { status: new URL(url).pathname === "/healthz" ? status : 404 }),
  })
  const port = service.port!
  expect(await check(port)).toBe(0)
  status = 503
  expect(await check(port)).toBe(1)
  await service.stop(true)
  expect(await check(port)).toBe(1)
})

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

test.if(analyze !== null)("systemd accepts the unit", () => {
  const unit = join(folder, "trawl.service")
  const text = readFileSync(join(root, "deploy/systemd/trawl.service"), "utf8")
  writeFileSync(unit, text.replace("/usr/bin/trawl", program))
  const { exitCode, stderr } = Bun.spawnSync([analyze!, "verify", "--man=no", unit])
  expect(stderr.toString()).toBe("")
  expect(exitCode).toBe(0)
  writeFileSync(unit, text.replace("Type=notify", "Type=notification"))
  expect(Bun.spawnSync([analyze!, "verify", "--man=no", unit]).stderr.toString()).toInclude(
    "service type",
  )
})
