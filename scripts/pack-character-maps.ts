/**
 * Packs the character maps of PDF.js, which map the codes of Chinese, Japanese and Korean fonts to
 * characters: `bun scripts/pack-character-maps.ts FOLDER`, with the folder `cmaps` of the package
 * pdfjs-dist, of the version that unpdf bundles. Writes `src/engine/net/documents/cmaps.br` and its
 * licence.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync } from "node:zlib"
import { zipSync } from "fflate"
import { packing } from "../src/api/http/coding/stored-file.ts"

const [folder] = process.argv.slice(2)
if (!folder) {
  console.error("Name the folder cmaps of pdfjs-dist: bun scripts/pack-character-maps.ts FOLDER")
  process.exit(1)
}

const ending = ".bcmap"
/** A fixed date, so that each build has the same bytes. */
const mtime = "2000-01-01"
const names = readdirSync(folder)
  .filter((name) => name.endsWith(ending))
  .sort()
const maps = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))]))
const target = join(import.meta.dir, "../src/engine/net/documents")
const archive = zipSync(maps, { level: 0, mtime })
writeFileSync(join(target, "cmaps.br"), brotliCompressSync(archive, packing(archive.length)))
const licence = readFileSync(join(folder, "LICENSE"), "latin1").replace(/^%%Copyright: ?/gm, "")
writeFileSync(join(target, "cmaps.LICENSE"), licence)
console.log(`${names.length} character maps packed.`)
