import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { unzipSync, type Zippable, zipSync } from "fflate"
import type { BuiltInChrome } from "../src/engine/net/browser/supply/built-in.ts"

/** Of no kind that Bun knows: the zip goes into the executable as it is. */
export const chromeSuffix = ".chrome"

/** What headless Chromes are called, the small build first. */
const programs = [
  "chrome-headless-shell",
  "chrome-headless-shell.exe",
  "chromium-headless-shell",
  "headless_shell",
  "chrome",
  "chromium",
  "chrome.exe",
]
/** Files have the same time in each build, so that it is the same build. */
const mtime = new Date(1980, 0, 2)

/** The zip of a Chrome, from its folder or as it is, and where in it the program lies. */
export function packChrome(from: string, folder: string): BuiltInChrome {
  if (!existsSync(from)) throw new Error(`--with-chrome: there is no ${from}.`)
  const isFolder = statSync(from).isDirectory()
  const zip = isFolder ? zipSync(filesOf(from), { level: 9, mtime }) : readFileSync(from)
  const path = join(folder, `shell${chromeSuffix}`)
  writeFileSync(path, zip)
  const names = isFolder ? Object.keys(filesOf(from)) : namesIn(zip)
  const program = programs.flatMap((one) => names.filter((name) => basename(name) === one))[0]
  if (!program) throw new Error(`--with-chrome: ${from} holds none of ${programs.join(", ")}.`)
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
