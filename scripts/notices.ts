import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** A package whose code is in the executable, and what its licence asks to be passed on. */
export interface Notice {
  name: string
  version: string
  licence: string
  /** The files in which it states its licence, or in words where it has none. */
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

/** Of every package that those in `dependencies` of a folder's package.json need, by name. */
export function collectNotices(root: string): Notice[] {
  const found = new Map<string, Notice>()
  const visit = (from: string, names: string[]) => {
    for (const name of names) {
      const folder = installed(from, name)
      // An optional one, for another platform or purpose.
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

/** Where a package finds another one, as Node.js looks for it. */
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
  return `Copyright ${holder ?? "its authors"}. The terms of ${licence} stand with other packages here.`
}

const rule = "-".repeat(80)

/** All notices as one text; packages that share a text stand together above it. */
export function noticesText(notices: Notice[]): string {
  const groups = Map.groupBy(notices, ({ text }) => text)
  const parts = [...groups.values()].map((group) => {
    const names = group.map(({ name, version, licence }) => `${name} ${version} (${licence})`)
    return [...names, "", group[0]!.text].join("\n")
  })
  return `${[runtime, characterMaps(), ...parts].join(`\n\n${rule}\n`)}\n`
}

/** They come with no package: scripts/pack-character-maps.ts. */
function characterMaps(): string {
  const file = join(import.meta.dir, "../src/engine/net/documents/cmaps.LICENSE")
  return `Adobe CMap resources (BSD-3-Clause), as PDF.js packs them\n\n${readFileSync(file, "latin1").trim()}`
}

const runtime = `Trawl is under the MIT licence. Its executable holds the work of others, under these terms.

${rule}
Bun ${Bun.version} (MIT), with JavaScriptCore and WebKit (LGPL-2.1) and the libraries that
https://bun.com/docs/project/license lists; the sources are at https://github.com/oven-sh/bun and
https://github.com/oven-sh/WebKit`
