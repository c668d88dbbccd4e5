import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { dirname, join, posix, resolve } from "node:path"
import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { withCheckout } from "./git.ts"
import type { Dataset } from "./sets.ts"

/**
 * Fetches a set and writes `<into>/<name>/truth.json` and one `<id>.html.gz` a page. The folder appears
 * only once it is complete.
 *
 * @returns The number of pages, or null if the folder exists: it is left as it is.
 * @throws Error if the repository cannot be fetched, or if its files do not have the expected form.
 */
export async function fetchDataset(
  name: string,
  dataset: Dataset,
  into: string,
): Promise<number | null> {
  const folder = join(into, name)
  if (existsSync(folder)) return null
  return withCheckout(dataset, dataset.paths, (checkout) =>
    whenComplete(into, folder, (partial) => {
      const truths: Record<string, unknown> = {}
      for (const { id, gzipped, truth } of dataset.pages(checkout)) {
        if (!/^[\w-]+$/.test(id)) throw new Error(`${name}: "${id}" is not a page ID.`)
        writeFileSync(join(partial, `${id}.html.gz`), gzipped)
        truths[id] = truth
      }
      writeFileSync(join(partial, "truth.json"), `${JSON.stringify(truths, null, 1)}\n`)
      return Object.keys(truths).length
    }),
  )
}

/**
 * Files of public repositories, for example of recorded cases:
 *
 * ```json
 * {
 *   "sources": [
 *     {
 *       "repository": "https://github.com/owner/name",
 *       "commit": "4f1f1cb711eee3d2bc3b7c767c8c560534843286",
 *       "files": [
 *         { "path": "fixtures/quotes.html", "sha256": "9f86…", "to": "quotes-scraper/first-page/body.html" }
 *       ]
 *     }
 *   ]
 * }
 * ```
 *
 * `to` is the path below the target folder; default: `path`.
 */
const manifestSchema = Type.Object({
  sources: Type.Array(
    Type.Object({
      repository: Type.String({ minLength: 1 }),
      commit: Type.String({ pattern: "^[0-9a-f]{40}$" }),
      files: Type.Array(
        Type.Object({
          path: Type.String({ minLength: 1 }),
          sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
          to: Type.Optional(Type.String({ minLength: 1 })),
        }),
        { minItems: 1 },
      ),
    }),
  ),
})

/**
 * Fetches the files of a manifest. Nothing is written unless all files of their source have their checksums.
 *
 * @returns The number of files.
 * @throws Error if the manifest is invalid, a path leaves its folder, or a checksum differs.
 */
export async function fetchManifest(manifest: unknown, into: string): Promise<number> {
  if (!Value.Check(manifestSchema, manifest)) {
    const { path, message, value } = Value.Errors(manifestSchema, manifest).First()!
    throw new Error(
      `The manifest is invalid at ${path || "/"}: ${message}, found ${JSON.stringify(value)}.`,
    )
  }
  let count = 0
  for (const { files, ...source } of manifest.sources) {
    const plain = files.map(({ path, sha256, to }) => ({
      path: insidePath(path),
      target: join(into, insidePath(to ?? path)),
      sha256,
    }))
    const paths = plain.map(({ path }) => path)
    await withCheckout(source, paths, (checkout) => {
      const contents = plain.map(({ path, sha256, target }) => ({
        target,
        bytes: checkedFile(checkout, path, sha256),
      }))
      for (const { target, bytes } of contents) {
        mkdirSync(dirname(target), { recursive: true })
        writeFileSync(target, bytes)
      }
    })
    count += plain.length
  }
  return count
}

function checkedFile(checkout: string, path: string, sha256: string): Buffer {
  if (!lstatSync(join(checkout, path)).isFile())
    throw new Error(`${path} is not a file: list each file of a folder.`)
  const bytes = readFileSync(join(checkout, path))
  const actual = new Bun.CryptoHasher("sha256").update(bytes).digest("hex")
  if (actual === sha256) return bytes
  throw new Error(`${path} has the SHA-256 ${actual}, but the manifest has ${sha256}.`)
}

/** @throws Error if a path is absolute or leaves its folder. */
function insidePath(path: string): string {
  const normal = posix.normalize(path)
  if (/^(?:\/|\.\.(?:\/|$)|\.git(?:\/|$))|[\\:]/.test(normal))
    throw new Error(`"${path}" is not a path inside its folder: give one such as "a/b.html".`)
  return normal
}

/** Fills a temporary folder next to `folder`, and renames it if `fill` succeeds. */
function whenComplete<T>(into: string, folder: string, fill: (partial: string) => T): T {
  mkdirSync(into, { recursive: true })
  const partial = mkdtempSync(join(resolve(into), ".partial-"))
  try {
    const result = fill(partial)
    renameSync(partial, folder)
    return result
  } finally {
    rmSync(partial, { recursive: true, force: true })
  }
}
