import { afterAll, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { strToU8, zipSync } from "fflate"
import { missingIn } from "../../../../src/engine/net/browser/chrome/libraries.ts"
import { fetchChrome } from "../../../../src/engine/net/browser/supply/fetch-chrome.ts"
import { findChrome } from "../../../../src/engine/net/browser/supply/find.ts"
import {
  builtInPath,
  canHaveChrome,
  supplyChrome,
} from "../../../../src/engine/net/browser/supply/supply.ts"
import { unpack } from "../../../../src/engine/net/browser/supply/unpack.ts"

const root = mkdtempSync(join(tmpdir(), "trawl-supply-"))
let folders = 0
const fresh = () => join(root, String(++folders))

/** A mirror of Chrome for Testing; the prefix of a build's name defines what is wrong with it. */
const mirror = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const { pathname } = new URL(request.url)
    const [, , build, platform] = pathname.split("/")
    const inner = `chrome-headless-shell-${platform}`
    const files = {
      [`${inner}/chrome-headless-shell`]: strToU8(`#!/bin/sh\necho ${build}\n`),
      [`${inner}/chrome-headless-shell.exe`]: strToU8("none"),
      [`${inner}/locales/en.pak`]: new Uint8Array(300_000),
    }
    // The same bytes for each request, at any time.
    const zip = zipSync(files, { mtime: "2026-01-31T12:00:00Z" })
    const md5 = createHash("md5").update(zip).digest("base64")
    if (pathname.endsWith(".sha256")) {
      if (build !== "next") return new Response(null, { status: 404 })
      return new Response(`${createHash("sha256").update(zip).digest("hex")}  ${inner}.zip\n`)
    }
    switch (build) {
      case "absent":
        return new Response(null, { status: 404 })
      case "next":
      case "unknown":
        return new Response(zip)
      case "changed":
        zip[400] = zip[400]! ^ 1
    }
    return new Response(zip, { headers: { "x-goog-hash": `crc32c=AAAAAA==, md5=${md5}` } })
  },
})
afterAll(async () => {
  await mirror.stop(true)
  rmSync(root, { recursive: true, force: true })
})
const from = `http://127.0.0.1:${mirror.port}/chrome`

test("of the programs on the PATH, the browser is preferred to the headless shell", () => {
  const [bin, path] = [fresh(), process.env.PATH]
  mkdirSync(bin)
  const found = (name: string) => {
    writeFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 })
    return findChrome({ dataDir: bin })
  }
  try {
    process.env.PATH = bin
    const shell = found("chromium-headless-shell")
    expect(shell).toBe(join(bin, "chromium-headless-shell"))
    expect(found("chromium")).toBe(join(bin, "chromium"))
  } finally {
    process.env.PATH = path
  }
})

describe("Chrome is downloaded", () => {
  test.each(["1.2.3.4", "next"])("and verified: %s", async (build) => {
    const dataDir = fresh()
    const reported: string[] = []
    const path = await fetchChrome({ from, dataDir, build }, (line) => reported.push(line))
    expect(path.startsWith(join(dataDir, "chrome", "chrome-headless-shell"))).toBe(true)
    expect(statSync(path).mode & 0o111).not.toBe(0)
    expect(Bun.spawnSync([path]).stdout.toString()).toBe(`${build}\n`)
    expect([reported[0], reported.at(-1)]).toEqual([
      expect.stringContaining(`Fetching Chrome ${build} from 127.0.0.1`),
      `Chrome ${build} is installed.`,
    ])
    expect(readdirSync(join(dataDir, "chrome", "chrome-headless-shell"))).toHaveLength(1)
    // The second time, it is already there.
    expect(await fetchChrome({ from: "http://127.0.0.1:1", dataDir, build }, () => {})).toBe(path)
  })

  test.each([
    ["changed", "the file differs"],
    ["unknown", "no checksum"],
    ["absent", "answers 404"],
  ])("or not at all: %s", async (build, reported) => {
    const dataDir = fresh()
    const fetched = fetchChrome({ from, dataDir, build }, () => {})
    await expect(fetched).rejects.toThrow(reported)
    const folder = join(dataDir, "chrome", "chrome-headless-shell")
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })

  test("never if it is forbidden, or another is set", async () => {
    const tell = () => {}
    const set = { chrome: join(root, "none"), chromeDownloadUrl: from, dataDir: fresh() }
    expect(canHaveChrome(set)).toBe(false)
    await expect(supplyChrome(set, tell)).rejects.toMatchObject({ code: "browser_unavailable" })
  })
})

test("a Chrome in the executable is unpacked once", async () => {
  const path = join(root, "shell.zip")
  await Bun.write(path, zipSync({ "shell/chrome": strToU8("#!/bin/sh\necho within\n") }))
  const builtIn = { path, program: "shell/chrome", hash: "abc" }
  const settings = { builtIn, dataDir: fresh() }
  expect(canHaveChrome(settings)).toBe(true)
  const [program, again] = await Promise.all([
    supplyChrome(settings, () => {}),
    supplyChrome(settings, () => {}),
  ])
  expect(Bun.spawnSync([program]).stdout.toString()).toBe("within\n")
  expect(builtInPath(builtIn, settings.dataDir)).toBe(program)
  rmSync(path)
  expect(await supplyChrome(settings, () => {})).toBe(again)
})

test.each(["../out", "/out", "a/../../out"])(
  "a ZIP file cannot write outside its folder: %s",
  async (name) => {
    const folder = fresh()
    const zip = new Response(zipSync({ [name]: strToU8("x") })).body!
    await expect(unpack(zip, folder)).rejects.toThrow("a path outside its folder")
    expect([existsSync(folder), existsSync(join(root, "out"))]).toEqual([false, false])
  },
)

test("missing libraries are named with their package", () => {
  const reported = `\tlinux-vdso.so.1 (0x00007ffc)
\tlibnss3.so => not found
\tlibXdamage.so.1 => not found
\tlibodd.so.7 => not found
\tlibpulse.so.0 => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f)
`
  expect(missingIn(reported)).toEqual({
    libraries: ["libnss3.so", "libXdamage.so.1", "libodd.so.7", "libpulse.so.0"],
    deb: ["libnss3", "libxdamage1", "libpulse0"],
    rpm: ["nss", "libXdamage", "pulseaudio-libs"],
  })
  expect(missingIn("\tlibc.so.6 => /lib/libc.so.6 (0x1)\n")).toBeUndefined()
})
