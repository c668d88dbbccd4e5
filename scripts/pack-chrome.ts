import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { unzipSync, type Zippable, zipSync } from "fflate"
import type { BuiltInChrome } from "../src/engine/net/browser/supply/built-in.ts"

/** The file has no extension that Bun knows, so the zip is embedded unchanged. */
export const chromeSuffix = ".chrome"

/** Names of headless Chromes, the small build first. */
const programs = [
  "chrome-headless-shell",
  "chrome-headless-shell.exe",
  "chromium-headless-shell",
  "headless_shell",
  "chrome",
  "chromium",
  "chrome.exe",
]
/** A fixed date, so that each build has the same bytes. */
const mtime = new Date(1980, 0, 2)

/**
 * Returns the zip of a Chrome, from its folder or an existing zip, and the program's path in it.
 */
export function packChrome(from: string, folder: string): BuiltInChrome {
  if (!existsSync(from)) throw new Error(`--with-chrome: ${from} does not exist.`)
  const isFolder = statSync(from).isDirectory()
  const zip = isFolder ? zipSync(filesOf(from), { level: 9, mtime }) : readFileSync(from)
  const path = join(folder, `shell${chromeSuffix}`)
  writeFileSync(path, zip)
  const names = isFolder ? Object.keys(filesOf(from)) : namesIn(zip)
  const program = programs.flatMap((one) => names.filter((name) => basename(name) === one))[0]
  if (!program) throw new Error(`--with-chrome: ${from} contains none of ${programs.join(", ")}.`)
  const hash = createHash("sha256").update(zip).digest("hex").slice(0, 16)
  console.log(`With ${basename(program)}: ${Math.round(zip.length / 1e6)} MB.`)
  return { path, program, hash }
}

function filesOf(from: string): Zippable {
  const names = readdirSync(from, { recursive: true, encoding: "utf8" })
    .filter((name) => statSync(join(from, name)).isFile())
    .sort()
  return Object.fromEntries(
    names.map((name) => [name.replaceAll("\\", "/"), readFileSync(join(from, name))]),
  )
}

function namesIn(zip: Uint8Array): string[] {
  const names: string[] = []
  unzipSync(zip, {
    filter({ name }) {
      names.push(name)
      return false
    },
  })
  return names
}
