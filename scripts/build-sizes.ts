import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"

interface Part {
  name: string
  bytes: number
}

/** Parts below this size are printed as one line. */
const minListed = 100_000

/**
 * Returns lines with the size of each big part of an executable. Bun does not report the size of
 * bytecode by module, so it is distributed by the size of the modules' minified source.
 *
 * @param sizes Bytes of the executable and of the Bun in it.
 * @param packedFolder The files that are packed into the executable unchanged.
 */
export function sizeReport(
  metafile: Bun.BuildMetafile,
  packedFolder: string,
  sizes: { executable: number; runtime: number },
): string[] {
  const packed = readdirSync(packedFolder).map(
    (name): Part => ({ name, bytes: statSync(join(packedFolder, name)).size }),
  )
  const scripts = new Map<string, number>()
  for (const [output, { inputs }] of Object.entries(metafile.outputs)) {
    if (!output.endsWith(".js")) continue
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const name = moduleOf(path)
      scripts.set(name, (scripts.get(name) ?? 0) + bytesInOutput)
    }
  }
  const sum = (parts: Iterable<number>) => [...parts].reduce((total, bytes) => total + bytes, 0)
  const source = sum(scripts.values())
  const rest = sizes.executable - sizes.runtime - sum(packed.map(({ bytes }) => bytes))
  const withBytecode = [...scripts].map(
    ([name, bytes]): Part => ({ name, bytes: (rest * bytes) / source }),
  )
  return [
    line("executable", sizes.executable),
    line(`Bun ${Bun.version}`, sizes.runtime),
    `${(sizes.executable / sizes.runtime).toFixed(3)} times the size of Bun`,
    "",
    `Scripts with their bytecode: ${megabytes(rest)}, of them source ${megabytes(source)}`,
    ...list(withBytecode),
    "",
    "Compressed files:",
    ...list(packed),
  ]
}

/** Returns "node_modules/<package>", or two folders of src, or three of the engine's. */
function moduleOf(path: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
  if (name) return `node_modules/${name}`
  const folders = path.replace(/^(?:\.\/)?/, "").split("/")
  const depth = folders[1] === "engine" || folders[1] === "extract" ? 3 : 2
  return folders.slice(0, Math.min(depth, folders.length - 1)).join("/") || path
}

function list(parts: Part[]): string[] {
  const big = parts.filter(({ bytes }) => bytes >= minListed).sort((a, b) => b.bytes - a.bytes)
  const small = parts.filter(({ bytes }) => bytes < minListed)
  const others = small.reduce((total, { bytes }) => total + bytes, 0)
  const lines = big.map(({ name, bytes }) => line(name, bytes))
  return small.length > 0 ? [...lines, line(`${small.length} smaller parts`, others)] : lines
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`
const line = (name: string, bytes: number) => `${name.padEnd(44)} ${megabytes(bytes).padStart(10)}`
