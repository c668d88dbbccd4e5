import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/**
 * A package whose code is in the executable, and the text that its licence requires copies to
 * include.
 */
export interface Notice {
  name: string
  version: string
  licence: string
  /** The package's licence files, or one sentence if it has none. */
  text: string
}

interface Manifest {
  name: string
  version: string
  license?: string | { type: string }
  author?: string | { name: string }
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const stated = /^(?:licen[cs]e|copying|notice|unlicense)(?:[-.].*)?$/i

/**
 * Returns the notices of the `dependencies` in a folder's package.json and of all their
 * dependencies, by name.
 */
export function collectNotices(root: string): Notice[] {
  const found = new Map<string, Notice>()
  const visit = (from: string, names: string[]) => {
    for (const name of names) {
      const folder = installed(from, name)
      // An optional dependency for another platform or purpose.
      if (!folder) continue
      const manifest = manifestOf(folder)
      const key = `${manifest.name} ${manifest.version}`
      if (found.has(key)) continue
      found.set(key, noticeOf(folder, manifest))
      visit(folder, needs(manifest))
    }
  }
  visit(root, Object.keys(manifestOf(root).dependencies ?? {}))
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, notice]) => notice)
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

const needs = ({ dependencies, optionalDependencies, peerDependencies }: Manifest) =>
  Object.keys({ ...peerDependencies, ...optionalDependencies, ...dependencies })

/** Returns the folder of a package, looked up from another package's folder as Node.js does. */
function installed(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name)
    if (existsSync(join(candidate, "package.json"))) return candidate
    if (folder === dirname(folder)) return undefined
  }
}

function noticeOf(folder: string, { name, version, license, author }: Manifest): Notice {
  const files = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && stated.test(entry.name),
  )
  const texts = files.map((file) => readFileSync(join(folder, file.name), "utf8").trim())
  const licence = (typeof license === "string" ? license : license?.type) ?? "see its text"
  return { name, version, licence, text: texts.join("\n\n") || inWords(licence, author) }
}

function inWords(licence: string, author: Manifest["author"]): string {
  const holder = typeof author === "string" ? author : author?.name
  return `Copyright ${holder ?? "its authors"}. The terms of ${licence} are printed with other packages here.`
}

const rule = "-".repeat(80)

/** Returns all notices as one text. Packages that share a text are listed together above it. */
export function noticesText(notices: Notice[]): string {
  const groups = Map.groupBy(notices, ({ text }) => text)
  const parts = [...groups.values()].map((group) => {
    const names = group.map(({ name, version, licence }) => `${name} ${version} (${licence})`)
    return [...names, "", group[0]!.text].join("\n")
  })
  return `${[runtime, characterMaps(), ...parts].join(`\n\n${rule}\n`)}\n`
}

/** Texts that are not from a package: see scripts/pack-character-maps.ts. */
function characterMaps(): string {
  const file = join(import.meta.dir, "../src/engine/net/documents/cmaps.LICENSE")
  return `Adobe CMap resources (BSD-3-Clause), as PDF.js packs them\n\n${readFileSync(file, "latin1").trim()}`
}

const runtime = `Trawl is under the MIT licence. Its executable contains the work of others, under these terms.

${rule}
Bun ${Bun.version} (MIT), with JavaScriptCore and WebKit (LGPL-2.1) and the libraries that
https://bun.com/docs/project/license lists; the sources are at https://github.com/oven-sh/bun and
https://github.com/oven-sh/WebKit`
