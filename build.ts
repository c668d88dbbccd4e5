/**
 * Builds dist/trawl, one executable with everything in it. `--target bun-linux-arm64-musl` and the
 * like build for another platform, of the Bun at `--runtime PATH` or of one that Bun fetches itself;
 * `--outfile PATH` builds elsewhere. `--with-chrome PATH` puts a headless
 * Chrome into it: the folder or the zip of one for the same platform. `--quick` packs in a tenth of
 * the time, into a quarter of a megabyte more: for tests. `--sizes` prints what each big part costs.
 */
import { mkdirSync, rmSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { brotliCompressSync } from "node:zlib"
import type { BunPlugin } from "bun"
import { sizeReport } from "./scripts/build-sizes.ts"
import { loopsApart } from "./scripts/loops-apart.ts"
import { collectNotices, noticesText } from "./scripts/notices.ts"
import { chromeSuffix, packChrome } from "./scripts/pack-chrome.ts"
import { builtForBrowsers } from "./src/api/console/browser-build.ts"
import { consoleFiles } from "./src/api/console/console-files.ts"
import { packedSuffix, packing } from "./src/api/http/coding/stored-file.ts"
import { noticesFile } from "./src/cli/licenses.ts"
import { emptyDatabase } from "./src/store/upkeep/empty-database.ts"

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    target: { type: "string" },
    runtime: { type: "string" },
    outfile: { type: "string", default: "dist/trawl" },
    "with-chrome": { type: "string" },
    quick: { type: "boolean", default: false },
    sizes: { type: "boolean", default: false },
  },
})

/** Threads are entry points of their own, found by their path in the executable. */
const entryPoints = [
  "src/main.ts",
  "src/worker.ts",
  "src/api/reading/reading-thread.ts",
  "src/engine/net/browser/browser-thread.ts",
  "src/engine/net/documents/document-thread.ts",
  "src/engine/ops/destinations/destination-thread.ts",
  "src/engine/ops/notifications/mail-thread.ts",
  "src/export/transform-thread.ts",
  "src/store/writer/writer-thread.ts",
  "src/store/upkeep/upkeep-thread.ts",
]

/** Those that few need, with libraries of their own: small in the executable comes before a quick start. */
const packedThreads = /\/(?:browser|document|mail|transform)-thread\.ts$/

/** Of a name that is the same each time: paths are in the executable, and that is to be the same. */
const folder = join(import.meta.dir, "dist/parts", basename(values.outfile))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
/** Goes into the executable as it is; `trawl licenses` prints it. */
const notices = join(folder, noticesFile)
const packages = collectNotices(import.meta.dir)
/** Goes in as it lies in the sources; the thread that reads documents finds it by its name. */
const characterMaps = "src/engine/net/documents/cmaps.br"
await writePacked(notices, noticesText(packages))

/** Scripts for browsers are in the executable as they are sent to most of them (stored-file.ts). */
const browserScripts: BunPlugin = {
  name: "browser-scripts",
  setup(build) {
    build.onResolve({ filter: /\/dist\/browser\/.*\.js$/ }, async ({ path, importer }) => {
      const packed = packedFile(path)
      await writePacked(packed, await Bun.file(join(dirname(importer), path)).bytes())
      return { path: packed }
    })
    build.onResolve(
      { filter: /\/console\/(?:main\.tsx|style\.css|push-worker\.ts)$/ },
      ({ path }) => ({
        path: packedFile(path),
      }),
    )
  },
}

/**
 * Parts of packages that nothing here calls, and what is said where something did. Bytecode makes a
 * module six times as large in the executable as its source.
 */
const leftOut: readonly [path: RegExp, what: string, exported?: string][] = [
  // Chrome is spoken to by its own protocol.
  [/\/puppeteer-core\/lib\/puppeteer\/bidi\/bidi\.js$/, "WebDriver BiDi"],
  // What downloads Chrome loads it where it lies, to go through a proxy; here it is for a test's client.
  [/\/node_modules\/proxy-agent\//, "proxy-agent"],
  // No route takes a file whose kind Elysia would judge.
  [/\/node_modules\/file-type\//, "file-type"],
  // The log is written by this thread itself.
  [/\/node_modules\/thread-stream\//, "thread-stream", "ThreadStream"],
  // It would bring the folder along in which it was built, so that another folder made another file.
  [/\/node_modules\/pino\/lib\/transport\.js$/, "transport of logs", "transport"],
  // Nobody is asked by the protocol for what a schema would have to judge.
  [
    /\/@modelcontextprotocol\/sdk\/.*\/ajv-provider\.js$/,
    "validator of answers",
    "AjvJsonSchemaValidator",
  ],
  // Traces go out by the engine's own way, and no metric carries one.
  [/\/node_modules\/@opentelemetry\/api\//, "OpenTelemetry API", "trace"],
  // Style sheets of pages are not read.
  [/\/node_modules\/@acemir\/cssom\//, "CSSOM", "parse"],
]

const nothingUnused: BunPlugin = {
  name: "nothing-unused",
  setup(build) {
    for (const [filter, what, exported] of leftOut) {
      const refusal = `throw new Error("This executable holds no ${what}.")`
      const contents = exported ? `export function ${exported}() { ${refusal} }` : refusal
      build.onLoad({ filter }, () => ({ contents, loader: "js" }))
    }
  },
}

/** Such a thread is in the executable as one packed script, without bytecode, and unpacked as it starts. */
const packedScripts: BunPlugin = {
  name: "packed-scripts",
  setup(build) {
    build.onLoad({ filter: packedThreads }, ({ path }) => ({
      contents: unpackingThread(packedFile(path)),
      loader: "js",
    }))
  },
}

/** Data that is read once, or by few: as script it would be in the executable five times as large. */
const guides = [...new Bun.Glob("docs/guide/**/*.md").scanSync(import.meta.dir)].sort()
const packedTexts = [
  "src/api/examples/examples.json",
  "src/extract/article/reading/weights.json",
  "src/extract/metadata/candidates/metadata-weights.json",
  "src/extract/technologies/technologies.txt",
  "src/extract/typed/terms/terms.json",
  ...guides,
]
const phoneNumbers = "node_modules/libphonenumber-js/metadata.max.json"
/** Modules that are data: the public suffixes, as long lists of numbers. */
const packedModules: readonly [path: string, filter: RegExp][] = [
  ["node_modules/tldts/dist/es6/src/data/trie.js", /\/tldts\/dist\/.*\/data\/trie\.js$/],
]

/** Libraries that few need, as one packed script each; what is used of them is in a module of its own. */
const packedLibraries = ["src/export/parquet-parts.ts"]
const libraries: BunPlugin = {
  name: "packed-libraries",
  setup(build) {
    build.onLoad({ filter: /\/export\/parquet-library\.ts$/ }, () => ({
      contents: `
        import { readFileSync } from "node:fs"
        import { brotliDecompressSync } from "node:zlib"
        import path from ${JSON.stringify(packedFile(packedLibraries[0]!))} with { type: "file" }
        export const parquetLibrary = () =>
          import(URL.createObjectURL(new Blob([brotliDecompressSync(readFileSync(path))])))`,
      loader: "js",
    }))
  },
}

const packedData: BunPlugin = {
  name: "packed-data",
  setup(build) {
    build.onLoad(
      {
        filter:
          /\/(?:(?:examples|weights|metadata-weights|terms)\.json|technologies\.txt|guide\/[\w-]+\.md)$/,
      },
      ({ path }) => ({
        contents: unpackingData(packedFile(path), ""),
        loader: "js",
      }),
    )
    build.onLoad({ filter: /\/libphonenumber-js\/metadata\.max\.json\.js$/ }, () => ({
      contents: unpackingData(packedFile(phoneNumbers), "JSON.parse"),
      loader: "js",
    }))
    for (const [path, filter] of packedModules)
      build.onLoad({ filter }, async () => ({
        contents: unpackingModule(packedFile(path), await import(resolve(path))),
        loader: "js",
      }))
  },
}

/** The database of a new data folder, so that its first start runs no migrations. */
const newDatabase = join(folder, `empty-database.db${packedSuffix}`)
const packedDatabase: BunPlugin = {
  name: "packed-database",
  setup(build) {
    build.onLoad({ filter: /\/upkeep\/empty-database\.ts$/ }, () => ({
      contents: `
        import { readFileSync } from "node:fs"
        import { brotliDecompressSync } from "node:zlib"
        import path from ${JSON.stringify(newDatabase)} with { type: "file" }
        export const emptyDatabase = () => brotliDecompressSync(readFileSync(path))`,
      loader: "js",
    }))
  },
}

const chrome = values["with-chrome"]
  ? packChrome(resolve(values["with-chrome"]), folder)
  : undefined

const chromeWithin: BunPlugin = {
  name: "chrome-within",
  setup(build) {
    if (!chrome) return
    build.onLoad({ filter: /\/supply\/built-in\.ts$/ }, () => ({
      contents: `
        import path from ${JSON.stringify(chrome.path)} with { type: "file" }
        export const builtInChrome = { path, ...${JSON.stringify({ program: chrome.program, hash: chrome.hash })} }`,
      loader: "js",
    }))
  },
}

const unpackingData = (packed: string, reader: string) => `
  import { readFileSync } from "node:fs"
  import { brotliDecompressSync } from "node:zlib"
  import path from ${JSON.stringify(packed)} with { type: "file" }
  export default ${reader}(brotliDecompressSync(readFileSync(path)).toString())
`

/** Returns a module of JSON values and typed arrays. */
const unpackingModule = (packed: string, values: Record<string, unknown>) => `
  ${unpackingData(packed, "JSON.parse").replace("export default", "const values =")}
  ${Object.entries(values)
    .map(([name, value]) => {
      const packedAs = ArrayBuffer.isView(value) ? `new ${value.constructor.name}` : ""
      return `export const ${name} = ${packedAs}(values.${name})`
    })
    .join("\n")}
`

async function packModule(path: string): Promise<void> {
  const values = await import(resolve(path))
  const listed = (_: string, value: unknown) =>
    ArrayBuffer.isView(value) ? Array.from(value as Uint8Array) : value
  await writePacked(packedFile(path), JSON.stringify(values, listed))
}

function packedFile(path: string): string {
  return join(folder, `${basename(path)}${packedSuffix}`)
}

async function writePacked(
  path: string,
  content: string | Uint8Array,
  quick = values.quick,
): Promise<void> {
  const bytes = Buffer.from(content as string)
  await Bun.write(path, brotliCompressSync(bytes, packing(bytes.length, quick)))
}

/** @throws Error if code of a package goes in whose notice, and place in the bill of materials, is missing */
function requireNotices({ metafile }: Bun.BuildOutput): void {
  const noticed = new Set(packages.map(({ name }) => name))
  for (const path of Object.keys(metafile!.inputs)) {
    if (leftOut.some(([filter]) => filter.test(`/${path}`))) continue
    const [, name] = /.*\/?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
    if (name && !noticed.has(name)) throw new Error(`${name} has no notice: ${path}`)
  }
}

async function packScript(path: string): Promise<void> {
  const built = await Bun.build({
    entrypoints: [path],
    target: "bun",
    minify: true,
    metafile: true,
    plugins: [nothingUnused, loopsApart],
  })
  requireNotices(built)
  const { outputs } = built
  const script = new Uint8Array(await outputs[0]!.arrayBuffer())
  await writePacked(packedFile(path), script)
}

const unpackingThread = (packed: string) => `
  import { readFileSync } from "node:fs"
  import { brotliDecompressSync } from "node:zlib"
  import path from ${JSON.stringify(packed)} with { type: "file" }
  await import(URL.createObjectURL(new Blob([brotliDecompressSync(readFileSync(path))])))
`

/** @throws AggregateError with what cannot be built */
async function build(): Promise<void> {
  for (const path of [...packedTexts, phoneNumbers]) {
    await writePacked(packedFile(path), await Bun.file(path).bytes())
  }
  for (const [path] of packedModules) await packModule(path)
  // Not within the plugin: Bun waits for itself there.
  for (const path of entryPoints) if (packedThreads.test(path)) await packScript(path)
  for (const path of packedLibraries) await packScript(path)
  await writePacked(newDatabase, emptyDatabase())
  for (const path of Object.values(consoleFiles)) {
    // As in a release, because tests limit the bytes of the first page.
    await writePacked(packedFile(path), await builtForBrowsers(path), false)
  }
  const built = await Bun.build({
    metafile: true,
    entrypoints: [...entryPoints, notices, characterMaps],
    // Of no kind that Bun knows: taken as they are.
    loader: { ".notices": "file", [chromeSuffix]: "file", [packedSuffix]: "file" },
    // Threads are found by their path under it, whatever lies elsewhere.
    root: "src",
    minify: true,
    // What several threads load is in the executable once.
    splitting: true,
    bytecode: true,
    format: "esm",
    plugins: [
      ...[browserScripts, packedScripts, libraries, packedData, chromeWithin, nothingUnused],
      ...[packedDatabase, loopsApart],
    ],
    compile: {
      outfile: values.outfile,
      // A folder in which the executable happens to be started must not configure it.
      autoloadDotenv: false,
      autoloadBunfig: false,
      // HTTP/2 where a host speaks it; it is agreed upon in the hello, so no host is asked twice.
      execArgv: ["--experimental-http2-fetch"],
      ...(values.target ? { target: values.target as Bun.Build.CompileTarget } : {}),
      ...(values.runtime ? { executablePath: resolve(values.runtime) } : {}),
    },
  })
  requireNotices(built)
  if (values.sizes) {
    const runtime = statSync(values.runtime ?? process.execPath).size
    const executable = statSync(values.outfile).size
    console.log(sizeReport(built.metafile!, folder, { executable, runtime }).join("\n"))
  }
}

process.chdir(import.meta.dir)
try {
  await build()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
